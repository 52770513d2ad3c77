import { ready, repairJson } from '@haft/repair/json';
import type { Issue } from '@haft/schema';
import type { RunOutput } from './run-output.ts';

/** A value that fits the schema, or its issues. */
export type OutputReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string; readonly issues: readonly Issue[] };

/** Parses the text of an answer, repairs it unless it was truncated, and validates it. */
export async function readOutput(
  { schema, jsonSchema }: RunOutput,
  text: string,
  stopped: 'stop' | 'length',
): Promise<OutputReading> {
  if (text.trim() === '') return { ok: false, reason: 'it was empty', issues: [] };
  await ready();
  await schema.ready();
  const root = looksLikeObject(jsonSchema) ? 'object' : 'any';
  const repaired = repairJson(text, { schema: jsonSchema, root, stopped });
  if (!repaired.ok) return { ok: false, reason: `it is not JSON: ${repaired.hint ?? repaired.message}`, issues: [] };
  if (!repaired.complete) return { ok: false, reason: 'it is incomplete', issues: [] };
  const judged = await schema.validate(repaired.value);
  if (judged.ok) return { ok: true, value: judged.value };
  return { ok: false, reason: "it doesn't fit the schema", issues: judged.issues };
}

function looksLikeObject(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object';
}
