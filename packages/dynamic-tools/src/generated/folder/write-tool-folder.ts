import type { PlainData } from '../../copy-data.ts';
import { pluginApiVersion } from '../../plugin/definition/manifest.ts';
import type { ToolDraft, ToolFiles, ToolImport } from '../../catalog/tool-draft.ts';
import { typeOfSchema } from './type-of-schema.ts';

/** A tool's folder as text, and where in its module the body stands. */
export interface WrittenTool {
  readonly files: ToolFiles;
  /** The function around the body: offsets into the module. */
  readonly start: number;
  readonly end: number;
  /** Lines of the module before the body's first. */
  readonly linesBefore: number;
}

/** The file that holds a tool's code. */
export const toolModule = 'index.mts';
/** The file that holds everything else that is said of it. */
export const toolData = 'tool.json';

/** What the code calls its own parts, so that no import may. */
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
 * Writes the plugin folder of a tool. Everything that is text stays text: names, descriptions, schemas and examples stand
 * in JSON files, which the module imports. Of the draft, only the body becomes code, and the names of what it imports.
 *
 * @param draft one in which `readDraft` found nothing wrong with.
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

/** What a body may expect of its context, for the type check alone. */
const contextTypes = `export interface Context {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly callId: string;
  readonly cwd: string;
  readonly logger: Readonly<Record<'debug' | 'info' | 'warn' | 'error', (message: string, data?: Readonly<Record<string, unknown>>) => void>>;
  progress(update: string | { readonly message?: string; readonly done?: number; readonly total?: number; readonly output?: string }): void;
}
`;

/** What every module begins and ends with. */
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

/** What may make the same arguments give another answer. */
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
