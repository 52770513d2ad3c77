import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { createConfinedDirectory, removeConfined } from '../files/confined-change.ts';
import { writeConfinedFile } from '../files/confined-write.ts';
import { readSmallFile } from '../git/read-small-file.ts';

/** Something to put where nothing is, so that a command can put nothing there. */
export interface Placeholder {
  readonly path: string;
  /** Of a file; a folder has none. It says what the programs that read it do without it. */
  readonly content?: string;
  /** Whether it stays when the command has ended. */
  readonly stays?: boolean;
}

interface Placed {
  /** How many commands run that it is there for. */
  commands: number;
  /** Of a file. */
  readonly content: string | undefined;
  /** What this process has made, the innermost first; undefined where what is there is somebody else's. */
  readonly made: Promise<readonly string[] | undefined>;
}

const placed = new Map<string, Placed>();
const open = { protection: 'off' } as const;

/**
 * Puts placeholders into a root where nothing is, for the time of a jailed command, which can't be kept from making what is not there:
 * it sees them, and may only read them. Resolves to a function that takes them away again, to be called once.
 */
export async function putPlaceholders(root: string, wanted: readonly Placeholder[]): Promise<() => void> {
  const own = await Promise.all(wanted.map((placeholder) => put(root, placeholder)));
  return () => own.forEach((path) => takeAway(root, path));
}

async function put(root: string, placeholder: Placeholder): Promise<string | undefined> {
  const { path, content } = placeholder;
  const known = placed.get(path) ?? { commands: 0, content, made: make(root, placeholder) };
  placed.set(path, known);
  known.commands += 1;
  if (await known.made) return path;
  placed.delete(path);
  return undefined;
}

async function make(root: string, { path, content, stays }: Placeholder): Promise<readonly string[] | undefined> {
  const missing: string[] = [];
  for (let at = path; at !== root && at !== dirname(at) && !exists(at); at = dirname(at)) missing.push(at);
  if (content === undefined) {
    if (missing.length === 0) return undefined;
    const made = await createConfinedDirectory([root], path, open);
    return made.ok && stays !== true ? missing : undefined;
  }
  if (missing.length === 0) {
    // One that stayed when a program was killed is taken for our own.
    return content !== '' && hasContent(path, content) ? [path] : undefined;
  }
  const written = await writeConfinedFile([root], path, Buffer.from(content), { ...open, expectedHash: null });
  return written.ok ? missing : undefined;
}

function takeAway(root: string, path: string | undefined): void {
  const known = path === undefined ? undefined : placed.get(path);
  if (path === undefined || known === undefined) return;
  known.commands -= 1;
  if (known.commands > 0) return;
  placed.delete(path);
  void remove(root, path, known);
}

async function remove(root: string, path: string, { content, made }: Placed): Promise<void> {
  for (const each of (await made) ?? []) {
    // Files and folders that somebody has filled meanwhile stay, and so does what the next command has placed.
    if (each === path && content !== undefined && !hasContent(path, content)) return;
    if (!placed.has(path)) await removeConfined([root], each, open);
  }
}

function hasContent(path: string, content: string): boolean {
  return readSmallFile(path, content.length + 1)?.text === content;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
