import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** What went wrong while modules were loaded, and where. */
export interface LocatedFailure {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/** Files whose syntax is checked one by one, at most, to find the one that does not parse. */
const maxChecked = 20;

/** Finds the file and line to blame for a failed import among the files that the import reached. */
export async function locateFailure(error: unknown, files: ReadonlySet<string>): Promise<LocatedFailure> {
  const message = messageOf(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const named = placeIn(stack, files) ?? placeIn(message, files);
  if (named?.line) return { message, ...named };
  const missing = /^Cannot find (?:package|module) '([^']+)' imported from (.+)$/m.exec(message);
  if (missing) {
    const file = missing[2]!.startsWith('file:') ? fileURLToPath(withoutQuery(missing[2]!)) : withoutQuery(missing[2]!);
    return { message, file, line: await lineOfImport(file, missing[1]!) };
  }
  if (error instanceof SyntaxError) {
    const found = await findUnparsable(files);
    if (found) return { message, ...found };
  }
  return { message, ...named };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error))
    return `it threw ${typeof error === 'string' ? JSON.stringify(error.slice(0, 200)) : String(error)}`;
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}

/** The first `file:line` in a text that is one of the files. */
function placeIn(
  text: string,
  files: ReadonlySet<string>,
): { readonly file: string; readonly line: number } | undefined {
  for (const [, url, path, line] of text.matchAll(
    /(?:(file:\/\/[^\s()]+?)|((?:\/|[A-Za-z]:\\)[^\n()]*?)):(\d+)(?::\d+)?(?=[\s)]|$)/g,
  )) {
    const file = fileOf(url, path);
    if (file !== undefined && files.has(file)) return { file, line: Number(line) };
  }
  return undefined;
}

function fileOf(url: string | undefined, path: string | undefined): string | undefined {
  if (url === undefined) return path === undefined ? undefined : withoutQuery(path);
  try {
    return fileURLToPath(withoutQuery(url));
  } catch {
    return undefined;
  }
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** The line of a file that names a module, by the module's last path segment; 0 when there is none. */
async function lineOfImport(file: string, specifier: string): Promise<number> {
  const source = await readFile(file, 'utf8').catch(() => '');
  const last = specifier.split(/[\\/]/).at(-1) ?? specifier;
  return source.split('\n').findIndex((line) => /\b(?:import|from|export)\b/.test(line) && line.includes(last)) + 1;
}

/** Node tells where JavaScript does not parse only when it is asked to check the file alone. */
async function findUnparsable(
  files: ReadonlySet<string>,
): Promise<{ readonly file: string; readonly line: number } | undefined> {
  for (const file of [...files].toReversed().slice(0, maxChecked)) {
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['--check', file], { timeout: 5_000 }, (error, _stdout, stderr) =>
        resolve(error ? stderr : ''),
      );
    });
    const place = placeIn(output, files);
    if (place) return place;
  }
  return undefined;
}
