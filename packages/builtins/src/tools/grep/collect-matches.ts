import type { BytesSearchResult } from '../../search/text/search-bytes.ts';
import type { FoundLine } from '../../search/text/text-search.ts';

/** The matches in one file. */
export interface FileMatches {
  /** As models read it. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
  /** All matches, shown or not. */
  readonly matches: number;
}

/** Limits of the stored matches. */
export interface CollectOptions {
  /** Matches whose lines are shown, of all files together. */
  readonly limit: number;
  /** Files that are named. */
  readonly maxFiles: number;
}

/** Collects the matches of one file after another. */
export interface MatchCollector {
  readonly files: readonly FileMatches[];
  readonly matches: number;
  readonly matchedFiles: number;
  /** Binary files with a match. */
  readonly binaryFiles: number;
  /** Matches whose lines are in `files`. */
  readonly shown: number;
  add(path: () => string, result: BytesSearchResult): void;
}

/** Makes a collector. */
export function createMatchCollector({ limit, maxFiles }: CollectOptions): MatchCollector {
  const files: FileMatches[] = [];
  const totals = { matches: 0, matchedFiles: 0, binaryFiles: 0, shown: 0 };
  return {
    files,
    get matches() {
      return totals.matches;
    },
    get matchedFiles() {
      return totals.matchedFiles;
    },
    get binaryFiles() {
      return totals.binaryFiles;
    },
    get shown() {
      return totals.shown;
    },
    add(path, { matches, lines, isBinary }) {
      if (matches === 0) return;
      if (isBinary) {
        totals.binaryFiles += 1;
        return;
      }
      totals.matches += matches;
      totals.matchedFiles += 1;
      if (files.length >= maxFiles || totals.shown >= limit) return;
      const kept = keepMatches(lines, limit - totals.shown);
      totals.shown += kept.matches;
      files.push({ path: path(), lines: kept.lines, matches });
    },
  };
}

/** The lines of the first matches, with those around them; the lines before the next one go with it. */
function keepMatches(
  lines: readonly FoundLine[],
  most: number,
): { readonly lines: readonly FoundLine[]; readonly matches: number } {
  let matches = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.isMatch) continue;
    matches += 1;
    if (matches > most) return { lines: lines.slice(0, index), matches: most };
  }
  return { lines, matches };
}
