import type { CallableTool, JsonSchema } from '@haft/repair';

/** The value of a field, or why it is invalid. */
export type Declared<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** Reads the schema field: empty, or one JSON Schema. */
export function readSchema(text: string): Declared<JsonSchema | undefined> {
  if (text.trim() === '') return { ok: true, value: undefined };
  const read = readJson(text);
  if (!read.ok) return read;
  return isRecord(read.value)
    ? { ok: true, value: read.value as JsonSchema }
    : { ok: false, problem: 'A schema is an object, such as {"type": "object"}.' };
}

/** Reads the tools field: empty, one tool or a list of tools, each with a `name` and optional `parameters`. */
export function readTools(text: string): Declared<readonly CallableTool[]> {
  if (text.trim() === '') return { ok: true, value: [] };
  const read = readJson(text);
  if (!read.ok) return read;
  const tools: CallableTool[] = [];
  for (const [index, one] of (Array.isArray(read.value) ? read.value : [read.value]).entries()) {
    const tool: unknown = one;
    const { name, parameters } = isRecord(tool) ? tool : {};
    if (typeof name !== 'string') {
      return { ok: false, problem: `Tool ${index + 1} needs a name: {"name": "read", "parameters": {…}}.` };
    }
    if (parameters !== undefined && !isRecord(parameters)) {
      return { ok: false, problem: `The parameters of ${name} are not a JSON Schema (expected an object).` };
    }
    tools.push(parameters === undefined ? { name } : { name, parameters });
  }
  return { ok: true, value: tools };
}

function readJson(text: string): Declared<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, problem: `This is not JSON: ${(error as Error).message}` };
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
