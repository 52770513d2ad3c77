import { describeGaps, describeStart } from '../../search/search-notes.ts';
import { count } from '../../count.ts';
import type { GrepSearch } from './compile-grep-search.ts';
import type { FileSearchResult } from './grep-file-search.ts';

/** Describes what a result omits and how to see more. */
export function describeFindings(
  search: GrepSearch,
  found: FileSearchResult,
  shownStart: string,
  cwd: string,
): readonly string[] {
  const notes: string[] = [];
  if (found.matchedFiles === 0)
    notes.push(`${count(found.searchedFiles, 'file')} searched${describeStart(shownStart)}.`);
  if (found.matchedFiles === 0) notes.push(...suggestOtherReadings(search, found));
  const more = search.mode === 'content' ? describeMoreMatches(search, found) : describeMoreFiles(search, found);
  if (more !== undefined) notes.push(more);
  notes.push(...describeGaps(cwd, found.gaps));
  if (found.largeFiles.length > 0) notes.push(`Too large to search: ${found.largeFiles.slice(0, 5).join(', ')}.`);
  if (found.binaryFiles > 0)
    notes.push(
      `${count(found.binaryFiles, 'binary file')} ${found.binaryFiles === 1 ? 'matches' : 'match'} too and can't be shown.`,
    );
  return notes;
}

function describeMoreMatches({ limit, maxFiles, query }: GrepSearch, found: FileSearchResult): string | undefined {
  const hidden = found.matches - found.shown;
  if (hidden <= 0) return undefined;
  const inShown = found.files.reduce((sum, { matches }) => sum + matches, 0) - found.shown;
  const otherFiles = found.matchedFiles - found.files.length;
  const where = [
    ...(inShown > 0 ? [`${inShown} in ${found.files.length === 1 ? 'that file' : 'those files'}`] : []),
    ...(otherFiles > 0 ? [`${hidden - inShown} in ${count(otherFiles, 'other file')}`] : []),
  ].join(', ');
  const ceiling =
    found.shown >= limit
      ? `limit (now ${limit})`
      : otherFiles > 0 && found.files.length >= maxFiles
        ? `max_files (now ${maxFiles})`
        : `max_per_file (now ${query.keep})`;
  return `${hidden} more ${hidden === 1 ? 'match' : 'matches'}: ${where}; narrow pattern, path or include, or raise ${ceiling}.`;
}

function describeMoreFiles({ maxFiles }: GrepSearch, found: FileSearchResult): string | undefined {
  const hidden = found.matchedFiles - found.files.length;
  if (hidden <= 0) return undefined;
  return `${count(hidden, 'more file')}; narrow pattern, path or include, or raise limit (now ${maxFiles}).`;
}

/** Suggests other interpretations of the query when nothing was found. */
function suggestOtherReadings({ asked, query }: GrepSearch, { searchedFiles }: FileSearchResult): readonly string[] {
  const notes: string[] = [];
  if (searchedFiles === 0 && asked.include !== undefined)
    notes.push(
      `No file has a path that matches include ${JSON.stringify(asked.include)}; to search a folder give it as path.`,
    );
  if (!query.isMultiline && /\n|\\n/.test(asked.pattern))
    notes.push('The pattern has a line break, and lines are searched one by one; set multiline to true.');
  if (asked.fixed_strings !== true && /[()[\]{}?*+|$^]/.test(asked.pattern))
    notes.push(
      'The pattern was read as a regular expression; to search for it as plain text set fixed_strings to true.',
    );
  return notes;
}
