import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReadSource } from './plugin-own-files.ts';
import { placeIn, type Place } from './place-in-file.ts';
import type { ThrownText } from '../thrown-text.ts';

/** An import failure and its location. */
export interface LocatedFailure {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** Maximum number of files whose syntax is checked to find the invalid one. */
const maxChecked = 20;

/**
 * Finds the file and line that caused a failed import, among the files that the import reached.
 *
 * @param readSource reads a file that the failure names, if the file may be read.
 */
export async function locateFailure(
  thrown: ThrownText,
  files: ReadonlySet<string>,
  readSource: ReadSource,
): Promise<LocatedFailure> {
  const { name, stack } = thrown;
  const message = name === '' || name === 'Error' ? thrown.message : `${name}: ${thrown.message}`;
  const named = placeIn(stack, files) ?? placeIn(message, files);
  if (named) return { message, ...named };
  const missing = /^Cannot find (?:package|module) '([^']+)' imported from (.+)$/m.exec(message);
  if (missing) {
    const file = pathOf(withoutQuery(missing[2]!));
    const source = file === undefined ? undefined : await readSource(file);
    if (file !== undefined && source !== undefined) return { message, file, line: lineOfImport(source, missing[1]!) };
  }
  const found = name === 'SyntaxError' ? await findUnparsable(files, readSource) : undefined;
  return { message, ...found };
}

function pathOf(written: string): string | undefined {
  if (!written.startsWith('file:')) return written;
  try {
    return fileURLToPath(written);
  } catch {
    return undefined;
  }
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** Finds the line that imports a module, by the module's last path segment. Returns 0 if no line matches. */
function lineOfImport(source: string, specifier: string): number {
  const last = specifier.split(/[\\/]/).at(-1) ?? specifier;
  return source.split('\n').findIndex((line) => /\b(?:import|from|export)\b/.test(line) && line.includes(last)) + 1;
}

/** Node reports the position of a syntax error only when it checks the file alone. */
async function findUnparsable(files: ReadonlySet<string>, readSource: ReadSource): Promise<Place | undefined> {
  for (const file of [...files].toReversed().slice(0, maxChecked)) {
    if ((await readSource(file)) === undefined) continue;
    const output = await checkSyntax(file);
    if (output === undefined) return undefined;
    const place = placeIn(output, files);
    if (place) return place;
  }
  return undefined;
}

/** Runs Node's syntax check on a file. Returns `undefined` if it timed out. */
function checkSyntax(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: 5_000, killSignal: 'SIGKILL' }, (error, _stdout, stderr) =>
      resolve(error?.killed ? undefined : error ? stderr : ''),
    );
  });
}
