import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { createConfinedDirectory, removeConfined } from '../files/confined-change.ts';
import { writeConfinedFile } from '../files/confined-write.ts';
import { readSmallFile } from '../git/read-git-file.ts';

/** A file or directory to create at a missing path, so that a command cannot create one there. */
export interface Placeholder {
  readonly path: string;
  /** The content of a file; undefined for a directory. It must have no effect on the programs that read it. */
  readonly content?: string;
  /** Whether it remains after the command has ended. */
  readonly isPermanent?: boolean;
}

interface PlacedPlaceholder {
  /** Number of running commands that need it. */
  commands: number;
  /** The content of a file. */
  readonly content: string | undefined;
  /** The paths that this process created, innermost first; undefined if the path existed already. */
  readonly created: Promise<readonly string[] | undefined>;
}

const placed = new Map<string, PlacedPlaceholder>();
const open = { protection: 'off' } as const;

/**
 * Creates placeholders at missing paths while a jailed command runs, because a jail can only make existing paths
 * read-only. Resolves to a function that removes them, to be called once.
 */
export async function putPlaceholders(root: string, wanted: readonly Placeholder[]): Promise<() => void> {
  const own = await Promise.all(wanted.map((placeholder) => put(root, placeholder)));
  return () => own.forEach((path) => removePlaceholders(root, path));
}

async function put(root: string, placeholder: Placeholder): Promise<string | undefined> {
  const { path, content } = placeholder;
  const known = placed.get(path) ?? { commands: 0, content, created: make(root, placeholder) };
  placed.set(path, known);
  known.commands += 1;
  if (await known.created) return path;
  placed.delete(path);
  return undefined;
}

async function make(root: string, { path, content, isPermanent }: Placeholder): Promise<readonly string[] | undefined> {
  const missing: string[] = [];
  for (let at = path; at !== root && at !== dirname(at) && !exists(at); at = dirname(at)) missing.push(at);
  if (content === undefined) {
    if (missing.length === 0) return undefined;
    const created = await createConfinedDirectory([root], path, open);
    return created.ok && isPermanent !== true ? missing : undefined;
  }
  if (missing.length === 0) {
    // A placeholder left by a killed program is treated as our own.
    return content !== '' && hasContent(path, content) ? [path] : undefined;
  }
  const written = await writeConfinedFile([root], path, Buffer.from(content), { ...open, expectedHash: null });
  return written.ok ? missing : undefined;
}

function removePlaceholders(root: string, path: string | undefined): void {
  const known = path === undefined ? undefined : placed.get(path);
  if (path === undefined || known === undefined) return;
  known.commands -= 1;
  if (known.commands > 0) return;
  placed.delete(path);
  void remove(root, path, known);
}

async function remove(root: string, path: string, { content, created }: PlacedPlaceholder): Promise<void> {
  for (const each of (await created) ?? []) {
    // Files and directories that were filled meanwhile remain, and so do placeholders of the next command.
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
