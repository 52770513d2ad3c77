import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { createConfinedDirectory, removeConfined } from '../files/confined-change.ts';
import { readConfinedFile } from '../files/confined-read.ts';
import { writeConfinedFile } from '../files/confined-write.ts';

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
  const { path } = placeholder;
  const known = placed.get(path) ?? { commands: 0, made: make(root, placeholder) };
  placed.set(path, known);
  known.commands += 1;
  if (await known.made) return path;
  placed.delete(path);
  return undefined;
}

async function make(root: string, { path, content, stays }: Placeholder): Promise<readonly string[] | undefined> {
  const missing: string[] = [];
  for (let at = path; at !== root && at !== dirname(at) && !isThere(at); at = dirname(at)) missing.push(at);
  if (content === undefined) {
    if (missing.length === 0) return undefined;
    const made = await createConfinedDirectory([root], path, open);
    return made.ok && stays !== true ? missing : undefined;
  }
  if (missing.length === 0) {
    const there = await readConfinedFile([root], path, { followLinks: false });
    // One that stayed when a program was killed is taken for our own.
    return content !== '' && there.ok && Buffer.from(there.bytes).toString() === content ? [path] : undefined;
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

async function remove(root: string, path: string, { made }: Placed): Promise<void> {
  // Folders that somebody has filled meanwhile stay, and so does what the next command has placed.
  for (const each of (await made) ?? []) if (!placed.has(path)) await removeConfined([root], each, open);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
