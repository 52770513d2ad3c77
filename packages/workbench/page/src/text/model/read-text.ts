import { extractToolCalls, repairJson, type Extraction, type RepairResult } from '@haft/repair';
import type { CallableTool, JsonSchema } from '@haft/repair';

/** Input of {@link readText}. */
export interface Question {
  readonly text: string;
  readonly schema: JsonSchema | undefined;
  readonly tools: readonly CallableTool[];
  readonly stopped: '' | 'stop' | 'length';
}

/** The two readings of one text. */
export interface Reading {
  readonly value: RepairResult;
  readonly extraction: Extraction;
  /** Duration of both readings, in milliseconds. */
  readonly milliseconds: number;
}

/** Maximum depth of values, because deeper ones cannot be shown. */
const limits = { depth: 500, size: 8_000_000 };

/** Reads a text as a value and as a message with calls. */
export function readText({ text, schema, tools, stopped }: Question): Reading {
  const known = { limits, ...(stopped === '' ? {} : { stopped }) };
  const start = performance.now();
  const value = repairJson(text, schema === undefined ? known : { ...known, schema });
  const extraction = extractToolCalls(text, { ...known, tools });
  return { value, extraction, milliseconds: performance.now() - start };
}
