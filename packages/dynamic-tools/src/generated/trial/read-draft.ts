import type { TrialFault } from './trial-report.ts';
import { readCapabilities } from '../../capabilities.ts';
import { copyData, type PlainData } from '../../copy-data.ts';
import { allowedModules } from './allowed-modules.ts';
import type { JsonSchema, ToolDraft, ToolExample, ToolImport } from '../../catalog/tool-draft.ts';
import { reservedNames } from '../folder/write-tool-folder.ts';

/** The arguments of `new_tool`. */
export interface DraftArguments {
  readonly name: string;
  readonly description: string;
  readonly fields?: readonly DraftField[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly imports?: readonly ToolImport[];
  readonly tests?: readonly { readonly arguments?: unknown; readonly expected?: unknown }[];
  readonly capabilities?: unknown;
}

/** An argument of the tool, in a shorter form than a JSON Schema. */
export interface DraftField {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly values?: readonly string[];
}

export const toolNamePattern: RegExp = /^[a-z][a-z0-9_]{1,63}$/;
/** The types of a field. Each also exists as a list, such as `string[]`. */
export const fieldTypes: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object'];
const identifier = /^[A-Za-z_$][\w$]{0,63}$/;
/** Reserved words, which no import can use as a name. */
const keywords =
  /^(?:break|case|catch|class|const|continue|debugger|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;
const maxSchemaBytes = 16 * 1024;
const maxDescription = 4_000;
const maxExamples = 50;

/** Converts the arguments of `new_tool` to a draft, or returns the faults that the model must correct. */
export function readDraft(given: DraftArguments, addedModules: readonly string[]): ToolDraft | readonly TrialFault[] {
  const faults: TrialFault[] = [];
  const refuse: Refuse = (path, message) => void faults.push({ path, message });
  if (!toolNamePattern.test(given.name))
    refuse('$.name', 'the name must be 2 to 64 lower-case letters, digits and underscores, such as "count_words"');
  if (given.description.trim() === '' || given.description.length > maxDescription)
    refuse(
      '$.description',
      `describe in one or two sentences what the tool does, in at most ${maxDescription} characters`,
    );
  const capabilities = readCapabilities(given.capabilities ?? {});
  if (typeof capabilities === 'string') refuse('$.capabilities', capabilities);
  else if (capabilities.hooks === true) refuse('$.capabilities.hooks', "a generated tool can't have hooks");
  const modules = allowedModules(typeof capabilities === 'string' ? {} : capabilities, addedModules);
  for (const [index, line] of (given.imports ?? []).entries()) checkImport(line, index, modules, refuse);
  const names = (given.imports ?? []).flatMap(({ names: named = [], as }) => [
    ...named,
    ...(as === undefined ? [] : [as]),
  ]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuse('$.imports', `${twice} is imported twice`);
  const input = readInput(given, refuse);
  const output = given.output === undefined ? undefined : readSchema(given.output, '$.output', refuse);
  const examples = readExamples(given.tests ?? [], refuse);
  if (faults.length > 0 || typeof capabilities === 'string' || !input) return faults;
  const { name, description, body, imports = [] } = given;
  return { name, description, input, ...(output && { output }), body, imports, examples, capabilities };
}

type Refuse = (path: string, message: string) => void;

function checkImport(
  { from, names = [], as }: ToolImport,
  index: number,
  modules: readonly string[],
  refuse: Refuse,
): void {
  const path = `$.imports[${index}]`;
  if (!modules.includes(from))
    refuse(`${path}.from`, `${JSON.stringify(from)} can't be imported; allowed: ${modules.join(', ')}`);
  if (names.length === 0 && as === undefined)
    refuse(path, 'name the imports, as in { "from": "node:path", "names": ["join"] }');
  for (const name of [...names, ...(as === undefined ? [] : [as])])
    if (!identifier.test(name) || keywords.test(name) || reservedNames.has(name))
      refuse(path, `${JSON.stringify(name.slice(0, 60))} is not a valid import name`);
}

function readInput(given: DraftArguments, refuse: Refuse): JsonSchema | undefined {
  if (given.input !== undefined && given.fields !== undefined) {
    refuse('$.input', 'give either fields or input, not both');
    return undefined;
  }
  if (given.input !== undefined) {
    const schema = readSchema(given.input, '$.input', refuse);
    if (schema?.['type'] === 'object') return schema;
    refuse('$.input', 'the arguments must be an object: { "type": "object", "properties": { … } }');
    return undefined;
  }
  const properties: [string, PlainData][] = [];
  const required: string[] = [];
  for (const [index, field] of (given.fields ?? []).entries()) {
    const path = `$.fields[${index}]`;
    const isList = field.type.endsWith('[]');
    const type = isList ? field.type.slice(0, -2) : field.type;
    if (!fieldTypes.includes(type))
      refuse(
        `${path}.type`,
        `unknown type ${JSON.stringify(field.type)}; allowed: ${fieldTypes.join(', ')}, each also as an array such as "string[]"`,
      );
    if (field.name === '' || field.name.length > 100)
      refuse(`${path}.name`, 'a field needs a name of at most 100 characters');
    if (properties.some(([name]) => name === field.name))
      refuse(`${path}.name`, `the field ${JSON.stringify(field.name)} exists twice`);
    const one = { type, ...(field.values && { enum: field.values }) };
    const schema = isList ? { type: 'array', items: one } : one;
    properties.push([
      field.name,
      { ...schema, ...(field.description !== undefined && { description: field.description }) },
    ]);
    if (field.required !== false) required.push(field.name);
  }
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

function readSchema(given: unknown, path: string, refuse: Refuse): JsonSchema | undefined {
  try {
    const copy = copyData(given);
    const isRecord = typeof copy === 'object' && copy !== null && !Array.isArray(copy);
    if (isRecord && Buffer.byteLength(JSON.stringify(copy)) <= maxSchemaBytes) return copy as JsonSchema;
    refuse(path, `expected a JSON Schema of at most ${maxSchemaBytes} bytes`);
  } catch (error) {
    refuse(path, (error as Error).message);
  }
  return undefined;
}

function readExamples(given: NonNullable<DraftArguments['tests']>, refuse: Refuse): readonly ToolExample[] {
  if (given.length > maxExamples) refuse('$.tests', `at most ${maxExamples} tests are allowed`);
  try {
    return given.slice(0, maxExamples).map((test) => ({
      arguments: copyData(test.arguments ?? {}) ?? {},
      ...(test.expected !== undefined && { expected: copyData(test.expected) ?? null }),
    }));
  } catch (error) {
    refuse('$.tests', (error as Error).message);
    return [];
  }
}
