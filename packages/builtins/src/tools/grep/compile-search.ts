import type { ToolError } from '@haft/core';
import { compilePattern } from '../../search/patterns/compile-pattern.ts';
import { readLetterCase } from '../../search/patterns/letter-case.ts';
import { compilePathFilter } from '../../search/names/path-filter.ts';
import type { FileSearch } from './file-search.ts';

type Mode = 'content' | 'files' | 'count';
type Optional<Value> = Value | undefined;

/** The arguments of one call of grep. */
export interface GrepArguments {
  readonly pattern: string;
  readonly path?: Optional<string>;
  readonly include?: Optional<string>;
  readonly exclude?: Optional<string>;
  readonly type?: Optional<string>;
  readonly mode?: Optional<Mode | 'files_with_matches'>;
  readonly fixed_strings?: Optional<boolean>;
  readonly ignore_case?: Optional<boolean>;
  readonly case_sensitive?: Optional<boolean>;
  readonly multiline?: Optional<boolean>;
  readonly context?: Optional<number>;
  readonly before?: Optional<number>;
  readonly after?: Optional<number>;
  readonly limit?: Optional<number>;
  readonly max_per_file?: Optional<number>;
  readonly max_files?: Optional<number>;
  readonly no_ignore?: Optional<boolean>;
}

const defaultLimit = 100;

/** A search, with what its answer is to look like. */
export interface GrepSearch extends FileSearch {
  readonly ok: true;
  /** As the model wrote it. */
  readonly asked: GrepArguments;
  readonly mode: Mode;
  readonly before: number;
  readonly after: number;
}

/** Reads the arguments of a call, or says what can't be used: `INVALID_PATTERN`, and `INVALID_ARGS` for a type unknown here. */
export function compileSearch(
  args: GrepArguments,
  isOver: () => boolean,
): GrepSearch | { readonly ok: false; readonly error: ToolError } {
  const letters = readLetterCase(args);
  if (!letters.ok) return letters;
  const pattern = compilePattern(args.pattern, {
    ignoreCase: letters.ignoreCase,
    isPlain: args.fixed_strings === true,
    isMultiline: args.multiline === true,
  });
  if (!pattern.ok) return pattern;
  const filter = compilePathFilter(args);
  if (!filter.ok) return filter;
  const mode: Mode = args.mode === undefined ? 'content' : args.mode === 'files_with_matches' ? 'files' : args.mode;
  const limit = args.limit ?? defaultLimit;
  const showsLines = mode === 'content';
  const before = showsLines ? (args.before ?? args.context ?? 0) : 0;
  const after = showsLines ? (args.after ?? args.context ?? 0) : 0;
  return {
    ok: true,
    asked: args,
    mode,
    filter,
    before,
    after,
    limit: showsLines ? limit : Infinity,
    maxFiles: args.max_files ?? (showsLines ? Infinity : limit),
    noIgnore: args.no_ignore === true,
    isOver,
    query: {
      source: pattern.source,
      flags: pattern.flags,
      isMultiline: args.multiline === true,
      before,
      after,
      keep: showsLines ? Math.min(limit, args.max_per_file ?? limit) : 0,
      isFirstEnough: mode === 'files',
    },
  };
}
