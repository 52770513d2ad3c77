import type { BytesSearchResult } from '../../search/text/search-bytes.ts';
import type { FoundLine } from '../../search/text/text-search.ts';

/** The matches in one file. */
export interface FileMatches {
  /** The path in the form for models. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
  /** Number of all matches, shown or not. */
  readonly matches: number;
}

/** Limits of the stored matches. */
export interface CollectOptions {
  /** Maximum number of shown matches in all files. */
  readonly limit: number;
  /** Maximum number of listed files. */
  readonly maxFiles: number;
}

/** Collects matches file by file. */
export interface MatchCollector {
  readonly files: readonly FileMatches[];
  readonly matches: number;
  readonly matchedFiles: number;
  /** Number of binary files with a match. */
  readonly binaryFiles: number;
  /** Number of matches whose lines are in `files`. */
  readonly shown: number;
  add(path: () => string, result: BytesSearchResult): void;
}

/** Creates a match collector. */
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

/**
 * Stores the lines of the first matches with their context. Context before the next match is stored with that match.
 */
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
