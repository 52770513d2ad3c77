import type { PathFilter } from '../../search/names/path-filter.ts';
import type { SearchGaps } from '../../search/search-notes.ts';
import type { TextQuery } from '../../search/text/text-search.ts';
import type { CollectOptions, FileMatches } from './collect-grep-matches.ts';

/** The query, location and limits of a file search. */
export interface FileSearch extends CollectOptions {
  readonly query: TextQuery;
  readonly filter: PathFilter;
  /** Whether ignored files are searched too. */
  readonly noIgnore: boolean;
  /** Returns true when the search must stop and return partial results. */
  readonly isOver: () => boolean;
  /** Called for each file with a match. */
  readonly onMatch?: () => void;
}

/** The matches of a search and the omitted files. */
export interface FileSearchResult {
  readonly files: readonly FileMatches[];
  readonly matches: number;
  readonly matchedFiles: number;
  /** Number of matches whose lines are in `files`. */
  readonly shown: number;
  readonly searchedFiles: number;
  /** Number of binary files with a match. */
  readonly binaryFiles: number;
  readonly largeFiles: readonly string[];
  readonly gaps: SearchGaps;
}
