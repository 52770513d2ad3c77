import type { PlainData } from '../../copy-data.ts';
import { pluginApiVersion } from '../../plugin/definition/manifest.ts';
import type { ToolDraft, ToolFiles, ToolImport } from '../../catalog/tool-draft.ts';
import { typeOfSchema } from './written-schema-type.ts';

/** The files of a tool's folder, and the position of the body in its module. */
export interface WrittenTool {
  readonly files: ToolFiles;
  /** Offsets of the function around the body in the module. */
  readonly start: number;
  readonly end: number;
  /** Number of lines in the module before the first line of the body. */
  readonly linesBefore: number;
}

/** Name of the file with the tool's code. */
export const toolModule = 'index.mts';
/** Name of the file with all other data of the tool. */
export const toolData = 'tool.json';

/** Names that the generated code uses, so that no import may use them. */
export const reservedNames: ReadonlySet<string> = new Set([
  'tool',
  'run',
  'args',
  'context',
  'Arguments',
  'Answer',
  'Context',
  'default',
  'arguments',
  'eval',
  'await',
]);

/**
 * Writes the plugin folder of a tool. Names, descriptions, schemas and examples are stored in JSON files, which the
 * module imports. Only the body and the names of its imports become code.
 *
 * @param draft a draft that `readDraft` accepted.
 */
export function writeToolFolder(draft: ToolDraft, version: number): WrittenTool {
  const { name, description, input, output, capabilities, body } = draft;
  const head = [
    opening,
    ...draft.imports.map(writeImport),
    '',
    `type Arguments = ${typeOfSchema(input)};`,
    `type Answer = ${output === undefined ? 'unknown' : typeOfSchema(output)};`,
    '',
    '',
  ].join('\n');
  const signature = 'async function run(args: Arguments, context: Context): Promise<Answer> {\n';
  const code = `${signature}${body.replaceAll('\r\n', '\n')}\n}`;
  const manifest = {
    name,
    version: `${version}.0.0`,
    description,
    api: pluginApiVersion,
    entry: toolModule,
    capabilities,
  };
  const data = { name, description, input, ...(output && { output }), traits: traitsOf(draft) };
  return {
    files: {
      'plugin.json': writeJson(manifest),
      [toolData]: writeJson(data),
      [toolModule]: `${head}${code}${ending}`,
      'context.d.mts': contextTypes,
      'examples.json': writeJson(draft.examples),
    },
    start: head.length,
    end: head.length + code.length,
    linesBefore: `${head}${signature}`.split('\n').length - 1,
  };
}

/** The type of the context, used only by the type check. */
const contextTypes = `export interface Context {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly callId: string;
  readonly cwd: string;
  readonly logger: Readonly<Record<'debug' | 'info' | 'warn' | 'error', (message: string, data?: Readonly<Record<string, unknown>>) => void>>;
  progress(update: string | { readonly message?: string; readonly done?: number; readonly total?: number; readonly output?: string }): void;
}
`;

/** The first and last lines of every module. */
const opening = `import tool from './${toolData}' with { type: 'json' };
import type { Context } from './context.mjs';`;
const ending = '\n\nexport default { tools: [{ ...tool, execute: run }] };\n';

/** Prints a module for the user, without its fixed first and last lines if it has them. */
export function showModule(text: string): string {
  const begun = text.startsWith(`${opening}\n`) ? text.slice(opening.length).trimStart() : text;
  return begun.endsWith(ending) ? `${begun.slice(0, -ending.length)}\n` : begun;
}

function writeImport({ from, names = [], as }: ToolImport): string {
  const source = JSON.stringify(from);
  const named = names.length === 0 ? [] : [`import { ${names.join(', ')} } from ${source};`];
  return [...named, ...(as === undefined ? [] : [`import * as ${as} from ${source};`])].join('\n');
}

/** Properties of a tool whose results may differ for equal arguments. */
const changing = /\b(?:Date|random\w*|performance|process|crypto|context|Temporal)\b/;

/** Traits that the jail enforces; without a jail they are ignored. */
function traitsOf({ capabilities, body, imports }: ToolDraft): PlainData {
  const { fs = {}, hosts = [], exec = false, env = [] } = capabilities;
  const { read = [], write = [] } = fs;
  if (exec || hosts.length > 0 || write.length > 0) return {};
  const isPure =
    read.length + env.length === 0 && !changing.test(body) && !imports.some(({ from }) => changing.test(from));
  return isPure ? { pure: true, openWorld: false } : { readOnly: true, openWorld: false };
}

function writeJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
