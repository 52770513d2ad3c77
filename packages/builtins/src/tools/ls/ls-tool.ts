import { join } from 'node:path';
import { failure, success, type AnyTool, type ToolResult } from '@haft/core';
import { listConfinedDirectory, loadIgnoreRules, statConfined, type DirectoryEntry } from '@haft/sandbox';
import { z } from 'zod';
import { hasBrokenName, hintForBrokenName } from '../../files/broken-file-name.ts';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { toFileError } from '../../files/file-errors.ts';
import { treeKeys } from '../../definition/footprint-keys.ts';
import { folderAliases } from '../../definition/path-aliases.ts';
import { findWalkStart, notFolder } from '../../search/walk/find-walk-start.ts';
import { count } from '../../count.ts';
import { readsFiles } from '../../definition/tool-traits.ts';

const maxShown = 500;

const input = z.strictObject({
  path: z
    .string()
    .optional()
    .describe('The folder, relative to the working directory or absolute. Default: the working directory.'),
  all: z
    .boolean()
    .optional()
    .describe('Show hidden and ignored entries too. Default false: only their names are listed.'),
});

/** An entry in the format `output: 'json'`. */
export interface ListedEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** Size in bytes; files only. */
  readonly size?: number;
}

/**
 * Creates the `ls` tool, which lists the entries of one directory.
 *
 * @example
 * import { createListTool } from '@haft/builtins';
 * import { createDispatcher, createWorkspace } from '@haft/core';
 * const { dispatch } = createDispatcher({ registry: [createListTool()], workspace: createWorkspace({ cwd: process.cwd() }) });
 * (await dispatch({ id: 'call_1', name: 'ls', arguments: {} })).ok; // => true
 */
export function createListTool(dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createListTool', dependencies, {
    name: 'ls',
    title: 'List a folder',
    description:
      'Lists the entries of one folder, folders first, with the sizes of files. To find files by name anywhere below use glob.',
    input,
    kind: 'read',
    traits: readsFiles,
    aliases: { path: folderAliases, all: ['show_hidden', 'showHidden'] },
    outputModes: true,
    renderModel: (output) => render(output as readonly ListedEntry[]),
    footprint: ({ path }, cwd) => ({ reads: treeKeys(cwd, path ?? '.') }),
    initialTitle: ({ path }) => `List ${path ?? '.'}`,
    run: list,
  });
}

async function list(
  args: z.output<typeof input>,
  { context: { callId }, workspace, place: placeOf }: BuiltinCall,
): Promise<ToolResult> {
  const place = placeOf(args.path ?? '.');
  const start = await findWalkStart(place);
  if (!start.ok) return failure(callId, start.error);
  if (start.kind !== 'directory')
    return failure(callId, notFolder(start.shown, 'To see the content of a file use read.'));
  const listing = await listConfinedDirectory(workspace.readRoots, start.path, { expectedPath: start.path });
  if (!listing.ok) return failure(callId, await toFileError(listing, 'read', place));

  const rules = args.all === true ? undefined : await loadIgnoreRules(workspace.readRoots, start.path);
  const isLeftOut = ({ name, kind }: DirectoryEntry): boolean =>
    rules !== undefined && (name.startsWith('.') || rules.ignores(name, kind === 'directory'));
  const leftOut = listing.entries.filter(isLeftOut);
  const kept = listing.entries.filter((entry) => !isLeftOut(entry));
  const sorted = [
    ...kept.filter(({ kind }) => kind === 'directory'),
    ...kept.filter(({ kind }) => kind !== 'directory'),
  ];
  const entries: ListedEntry[] = [];
  for (const { name, kind } of sorted.slice(0, maxShown)) {
    const status =
      kind === 'file'
        ? await statConfined(workspace.readRoots, join(start.path, name), {
            followLinks: false,
            expectedPath: join(start.path, name),
          })
        : undefined;
    entries.push({ name, type: kind, ...(status?.ok ? { size: status.size } : {}) });
  }

  const notes: string[] = [];
  if (sorted.length > entries.length)
    notes.push(`${sorted.length - entries.length} more entries; use glob to find what you need.`);
  if (listing.truncated) notes.push('The folder has more entries than can be listed.');
  const broken = entries.find(({ name }) => hasBrokenName(name));
  if (broken) notes.push(hintForBrokenName(broken.name));
  if (leftOut.length > 0)
    notes.push(
      `${count(leftOut.length, 'hidden or ignored entry', 'hidden or ignored entries')} left out: ${nameSome(leftOut)}; all=true shows them.`,
    );
  return success(callId, [{ type: 'json', value: entries }], {
    structured: entries,
    advisories: notes,
    summary: `Listed: ${start.shown} (${count(sorted.length, 'entry', 'entries')})`,
    metadata: { path: start.shown, entries: sorted.length, leftOut: leftOut.length },
  });
}

function render(entries: readonly ListedEntry[]): string {
  return entries.length === 0 ? 'There are no entries to show.' : entries.map(describeEntry).join('\n');
}

function describeEntry({ name, type, size }: ListedEntry): string {
  const shown = /[\u0000-\u001F\u007F]/.test(name) ? JSON.stringify(name) : name;
  if (type === 'directory') return `${shown}/`;
  if (type === 'file') return size === undefined ? shown : `${shown} (${describeSize(size)})`;
  return `${shown} (${type === 'link' ? 'symbolic link' : 'pipe, socket or device'})`;
}

function describeSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const [amount, unit] =
    bytes < 1_048_576
      ? [bytes / 1_024, 'KiB']
      : bytes < 1_073_741_824
        ? [bytes / 1_048_576, 'MiB']
        : [bytes / 1_073_741_824, 'GiB'];
  return `${amount.toFixed(1)} ${unit}`;
}

function nameSome(entries: readonly DirectoryEntry[]): string {
  const names = entries.slice(0, 10).map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name));
  return names.join(', ') + (entries.length > 10 ? ', …' : '');
}
