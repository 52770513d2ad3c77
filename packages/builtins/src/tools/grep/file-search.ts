import type { PathFilter } from '../../search/names/path-filter.ts';
import type { SearchGaps } from '../../search/search-notes.ts';
import type { TextQuery } from '../../search/text/text-search.ts';
import type { CollectOptions, FileMatches } from './collect-matches.ts';

/** What to search for, where, and how much of it to keep. */
export interface FileSearch extends CollectOptions {
  readonly query: TextQuery;
  readonly filter: PathFilter;
  /** Searches what ignore rules keep out, too. */
  readonly noIgnore: boolean;
  /** Says when the search has to answer with what it has. */
  readonly isOver: () => boolean;
  /** Hears of each file with a match. */
  readonly onMatch?: () => void;
}

/** What a search found, and what it left out. */
export interface FileSearchResult {
  readonly files: readonly FileMatches[];
  readonly matches: number;
  readonly matchedFiles: number;
  /** Matches whose lines are in `files`. */
  readonly shown: number;
  readonly searchedFiles: number;
  /** Files that are no text, and hold a match. */
  readonly binaryFiles: number;
  readonly largeFiles: readonly string[];
  readonly gaps: SearchGaps;
}
