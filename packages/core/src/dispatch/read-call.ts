import type { CallReading, ToolCall } from '../contracts/source.ts';
import { describeCause } from '../describe-cause.ts';
import { copyData } from './copy-data.ts';
import { findForeignCall } from './find-foreign-call.ts';

/** A call as it was when it came: every member read once, the arguments copied. */
export interface GivenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly stopped: 'stop' | 'length' | undefined;
  readonly reading: CallReading | undefined;
  /** Why the call can't be read. */
  readonly problem: string | undefined;
}

/** Objects that arguments may have which a program made: a proxy can make more without end. */
export const mostObjects = 1_000_000;

const risks: ReadonlySet<unknown> = new Set<CallReading['risk']>(['none', 'safe', 'lossy', 'truncated']);

/** Reads a call that code of others made; never throws. A call that names nothing still gets its answer. */
export function readCall(call: unknown): GivenCall {
  let id: unknown;
  let name: unknown;
  try {
    const given = (call ?? {}) as Partial<Record<keyof ToolCall | 'call_id', unknown>>;
    name = given.name;
    id = given.id;
    const { arguments: written, stopped, reading, call_id: otherId } = given;
    const isForeign = (written === undefined || otherId !== undefined) && typeof given === 'object';
    return {
      id: asText(id),
      name: asText(name),
      arguments: typeof written === 'object' ? copyData(written, mostObjects) : written,
      stopped: stopped === undefined || stopped === 'stop' ? stopped : 'length',
      reading: reading === undefined ? undefined : readReading(reading),
      problem: isForeign ? findForeignCall(given) : undefined,
    };
  } catch (cause) {
    const problem = `the call can't be read: ${describeCause(cause)}`;
    return {
      id: asText(id),
      name: asText(name),
      arguments: undefined,
      stopped: undefined,
      reading: undefined,
      problem,
    };
  }
}

/** What is given out of a call, to middleware for one. */
export function toCall({ id, name, arguments: args, stopped, reading }: GivenCall): ToolCall {
  return {
    id,
    name,
    arguments: args,
    ...(stopped === undefined ? {} : { stopped }),
    ...(reading === undefined ? {} : { reading }),
  };
}

/** What is not known of a reading counts as the worst. */
function readReading(given: unknown): CallReading {
  const { risk, complete, repairs } = (given ?? {}) as Partial<Record<keyof CallReading, unknown>>;
  return {
    risk: risks.has(risk) ? (risk as CallReading['risk']) : 'lossy',
    complete: complete === true,
    repairs: Array.isArray(repairs) ? (copyData(repairs) as CallReading['repairs']) : [],
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
