import { relative, sep } from 'node:path';
import type { WorkspaceChange } from '@haft/journal';
import type { Terminal } from '../program/terminal.ts';
import { showableLine } from '../show/showable.ts';
import { wrapLine } from '../show/wrap-line.ts';

const done = { create: 'created', modify: 'changed', delete: 'deleted', rename: 'moved' } as const;

/** Describes what a call did. */
export function describeChange({ op, path, from, after, before }: WorkspaceChange, cwd: string): string {
  const what = after.kind === 'directory' || (op === 'delete' && before.kind === 'directory') ? 'folder ' : '';
  return `${done[op]} ${what}${from === undefined ? '' : `${nameOf(from, cwd)} to `}${nameOf(path, cwd)}`;
}

/** Describes the current state, because undoing a deletion creates a file. */
export function describeUndone({ op, path, from }: WorkspaceChange, cwd: string): string {
  const name = nameOf(path, cwd);
  if (op === 'rename') return `${name} moved back from ${nameOf(from!, cwd)}`;
  if (op === 'create') return `${name} restored`;
  return op === 'delete' ? `${name} deleted again` : `${name} restored`;
}

/** The name of a path on the screen. */
export function nameOf(path: string, cwd: string): string {
  return showableLine(fromFolder(path, cwd), 400);
}

/** Names a file as the journal's diffs do. */
export function fromFolder(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? path : inside;
}

/** Prints an indented line. */
export function print(terminal: Terminal, line: string): void {
  for (const each of wrapLine(line, terminal.columns - 2, '  ')) terminal.line(`  ${each}`);
}
