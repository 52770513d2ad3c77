import { extractToolCalls, repairJson, type Extraction, type RepairResult } from '@haft/repair';
import type { CallableTool, JsonSchema } from '@haft/repair';

/** What is known about a text. */
export interface Question {
  readonly text: string;
  readonly schema: JsonSchema | undefined;
  readonly tools: readonly CallableTool[];
  readonly stopped: '' | 'stop' | 'length';
}

/** The two ways in which one text is read. */
export interface Reading {
  readonly value: RepairResult;
  readonly extraction: Extraction;
  /** How long both took. */
  readonly milliseconds: number;
}

/** Enough for what people paste; deeper values could not be shown. */
const limits = { depth: 500, size: 8_000_000 };

/** Reads a text as a value and as a message with calls. */
export function readText({ text, schema, tools, stopped }: Question): Reading {
  const known = { limits, ...(stopped === '' ? {} : { stopped }) };
  const start = performance.now();
  const value = repairJson(text, schema === undefined ? known : { ...known, schema });
  const extraction = extractToolCalls(text, { ...known, tools });
  return { value, extraction, milliseconds: performance.now() - start };
}
