import type { ToolError } from '@haft/core';
import { compilePattern } from '../../search/patterns/compile-pattern.ts';
import { readLetterCase } from '../../search/patterns/letter-case.ts';
import { compilePathFilter } from '../../search/names/path-filter.ts';
import type { FileSearch } from './grep-file-search.ts';

type Mode = 'content' | 'files' | 'count';
type Optional<Value> = Value | undefined;

/** The arguments of the `grep` tool. */
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

/** A search and the format of its result. */
export interface GrepSearch extends FileSearch {
  readonly ok: true;
  /** The arguments as the model wrote them. */
  readonly asked: GrepArguments;
  readonly mode: Mode;
  readonly before: number;
  readonly after: number;
}

/**
 * Compiles the arguments of a call, or returns an error: `INVALID_PATTERN`, or `INVALID_ARGS` for an unknown file type.
 */
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
