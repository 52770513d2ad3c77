import { showPath } from '../show-path.ts';
import type { WalkReport } from './walk-folders.ts';

/** What a search could not look at. */
export interface SearchGaps {
  readonly walk: WalkReport;
  /** Files that could not be read, each with its code. */
  readonly unreadable: readonly { readonly path: string; readonly code: string }[];
  /** Files that permission keeps closed. */
  readonly refused: number;
  /** The time ran out before everything was looked at. */
  readonly isPartial: boolean;
}

/** Says in a few lines what a search left out and why, so that nothing found is never taken for nothing there. */
export function describeGaps(cwd: string, gaps: SearchGaps): readonly string[] {
  const { walk, unreadable, refused, isPartial } = gaps;
  const notes: string[] = [];
  if (isPartial) notes.push('The time ran out before everything was searched: narrow the path.');
  const failed = [...walk.unreadable.map(({ path, failure }) => ({ path, code: failure.code })), ...unreadable];
  if (failed.length > 0) {
    const listed = failed.slice(0, 5).map(({ path, code }) => `${showPath(cwd, path)} (${code})`);
    const more = failed.length > 5 ? ` and ${failed.length - 5} more` : '';
    notes.push(`Could not be read: ${listed.join(', ')}${more}.`);
  }
  if (walk.cut.length > 0)
    notes.push(`Too many entries to see all: ${walk.cut.map((path) => showPath(cwd, path)).join(', ')}.`);
  if (refused > 0)
    notes.push(`${count(refused, 'file')} may not be read and ${refused === 1 ? 'was' : 'were'} left out.`);
  return notes;
}

/** The remark on entries kept out by ignore rules; for answers that have nothing else to show. */
export function describeIgnored({ ignored }: WalkReport): string {
  if (ignored === 0) return '';
  return `${count(ignored, 'ignored entry', 'ignored entries')} (.gitignore, .git, node_modules) ${ignored === 1 ? 'was' : 'were'} not searched; give the path of one to search it.`;
}

/** A number with its noun. */
export function count(amount: number, one: string, many: string = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
