import type { Source, WrittenCall } from './envelope.ts';
import { isDoubtful } from './is-doubtful.ts';
import { readBounded } from './read-json-calls.ts';
import { skipSpace } from './text-span.ts';

/** A call whose name stood before its arguments. */
export interface NamedCall {
  readonly call: WrittenCall;
  /** Where it ends, the closer included when it is there. */
  readonly end: number;
}

const OPENING_FENCE = /```[a-z0-9]*\s*/y;
const CLOSING_FENCE = /\s*```/y;

/** Reads the arguments object at an offset, in a fence or not, for a call whose name is known already. */
export function readNamedCall(
  source: Source,
  name: string,
  from: number,
  closers: readonly string[],
): NamedCall | undefined {
  const { text } = source;
  const at = endOf(OPENING_FENCE, text, skipSpace(text, from));
  if (text[at] !== '{') return undefined;
  const machine = readBounded(source, at, closers, []);
  if (machine.failure !== undefined) {
    return {
      call: { name: undefined, arguments: undefined, ending: 'closed', risk: 'lossy', repairs: [] },
      end: at + 1,
    };
  }
  const ending = isDoubtful(source, machine) ? 'cut' : machine.ending;
  const { root, risk, repairs, rootEnd } = machine;
  const after = skipSpace(text, endOf(CLOSING_FENCE, text, rootEnd));
  const closer = closers.find((candidate) => text.startsWith(candidate, after));
  const end = closer === undefined ? rootEnd : after + closer.length;
  return { call: { name, arguments: root, ending, risk, repairs }, end };
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
