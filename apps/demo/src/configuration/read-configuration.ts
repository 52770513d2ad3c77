import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { OptionTable } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/** Options by name, as on the command line without the dashes. */
export type Configuration = ReadonlyMap<string, string | boolean>;

/** The file that is read by default. */
export const configurationFile = 'haft.config.json';

/** The file that is read only if a user names it, because reading it runs it. */
const moduleFile = 'haft.config.ts';

/**
 * Options that the configuration of a folder may set. The others decide what runs without a question, or where a key is
 * sent, so they are accepted only in a file that the user names.
 */
export const folderOptions: readonly string[] = ['mcp', 'model', 'plugins'];

/**
 * Reads the options of `haft.config.json` in a folder, or of a named file: JSON, or a module whose default export has
 * the options.
 *
 * @param note - is called with a remark if the folder has a module that is not read.
 * @throws UsageError for a file that is missing, unreadable, or has an unknown or wrong option.
 */
export async function readConfiguration(
  cwd: string,
  named: string | undefined,
  options: OptionTable,
  note: (text: string) => void = () => undefined,
): Promise<Configuration> {
  const path = resolve(cwd, named ?? configurationFile);
  const shown = named ?? configurationFile;
  if (named === undefined && existsSync(resolve(cwd, moduleFile)))
    note(`${moduleFile} is a program, so it is not read unless you name it: --config ${moduleFile}`);
  if (!existsSync(path)) {
    if (named === undefined) return new Map();
    throw new UsageError(`--config ${named}: no such file`);
  }
  const given = await load(path, shown);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError(`${shown}: expected an object such as { "plugins": "plugins" }`);
  const settings = Object.entries(given).filter(([name]) => name !== '$schema');
  for (const [name, value] of settings) await check(shown, name, value, named === undefined, options);
  return new Map(settings as readonly (readonly [string, string | boolean])[]);
}

async function load(path: string, shown: string): Promise<unknown> {
  try {
    if (extname(path) === '.json') return readJson(await readFile(path, 'utf8'));
    return ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
  } catch (error) {
    throw new UsageError(`${shown}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`not valid JSON (${error instanceof Error ? error.message : String(error)})`, { cause: error });
  }
}

async function check(
  shown: string,
  name: string,
  value: unknown,
  isOfFolder: boolean,
  options: OptionTable,
): Promise<void> {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const { findNearestNames } = await import('@haft/core');
    const [nearest] = findNearestNames(name, Object.keys(options), 1);
    const advice =
      nearest === undefined ? `expected one of ${Object.keys(options).join(', ')}` : `did you mean ${nearest}?`;
    throw new UsageError(`${shown}: unknown option ${JSON.stringify(name)}; ${advice}`);
  }
  const expected = option.type === 'boolean' ? 'boolean' : 'string';
  if (typeof value !== expected || value === '')
    throw new UsageError(
      `${shown}: ${name} is not valid (expected ${describe(expected)}, got ${JSON.stringify(value)})`,
    );
  if (isOfFolder && !folderOptions.includes(name))
    throw new UsageError(
      `${shown}: ${name} is read only from a file that you name, with --config ${shown} (a folder may set ${folderOptions.join(', ')})`,
    );
}

function describe(type: 'boolean' | 'string'): string {
  return type === 'boolean' ? 'true or false' : 'a text';
}
