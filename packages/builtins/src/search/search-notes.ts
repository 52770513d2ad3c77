import { count } from '../count.ts';
import { hasBrokenName } from '../files/broken-file-name.ts';
import { showPath } from '../show-path.ts';
import type { WalkReport } from './walk/walk-folders.ts';

/** What a search omitted. */
export interface SearchGaps {
  readonly walk: WalkReport;
  /** Files that could not be read, each with its error code. */
  readonly unreadable: readonly { readonly path: string; readonly code: string }[];
  /** Files that the permissions deny. */
  readonly refused: number;
  /** Whether the time limit ended the search early. */
  readonly isPartial: boolean;
}

/** Describes what a search omitted and why, so that an empty result is never mistaken for "no match". */
export function describeGaps(cwd: string, gaps: SearchGaps): readonly string[] {
  const { walk, unreadable, refused, isPartial } = gaps;
  const notes: string[] = [];
  if (isPartial) notes.push('The time ran out before everything was searched: narrow the path.');
  const failed = [...walk.unreadable.map(({ path, failure }) => ({ path, code: failure.code })), ...unreadable];
  if (failed.length > 0) {
    const listed = failed
      .slice(0, 5)
      .map(({ path, code }) => `${showPath(cwd, path)} (${hasBrokenName(path) ? 'its name is not UTF-8' : code})`);
    const more = failed.length > 5 ? ` and ${failed.length - 5} more` : '';
    notes.push(`Could not be read: ${listed.join(', ')}${more}.`);
  }
  if (walk.cut.length > 0)
    notes.push(`Too many entries to see all: ${walk.cut.map((path) => showPath(cwd, path)).join(', ')}.`);
  if (refused > 0)
    notes.push(`${count(refused, 'file')} may not be read and ${refused === 1 ? 'was' : 'were'} left out.`);
  return notes;
}

/** Matches among the ignored entries. */
export interface IgnoredFindings {
  /** Paths in the form for models, in order. */
  readonly paths: readonly string[];
  /** Whether there may be more matches. */
  readonly isPartial: boolean;
}

/** Returns the note on matches in ignored files, for results that are otherwise empty. */
export function describeIgnored({ ignored }: WalkReport, { paths, isPartial }: IgnoredFindings): string {
  const entries = count(ignored, 'ignored entry', 'ignored entries');
  const more = 'set no_ignore to true, or give the path of one, to include them';
  if (paths.length > 0) {
    const shown = paths.slice(0, 3).join(', ');
    const files = `${isPartial ? 'At least ' : ''}${count(paths.length, 'ignored file')}`;
    return `${files} (.gitignore, .ignore, node_modules) ${paths.length === 1 ? 'matches' : 'match'}${paths.length > 3 ? ', such as ' : ': '}${shown}; ${more}.`;
  }
  if (isPartial) return `${entries} (.gitignore, .ignore, node_modules) could not all be searched in time; ${more}.`;
  return `Nothing in the ${entries} (.gitignore, .ignore, node_modules) matches either.`;
}

/** Returns the location of a search as a part of a sentence. */
export function describeStart(shown: string): string {
  return shown === '.' ? ' below the working directory' : ` below ${shown}`;
}
