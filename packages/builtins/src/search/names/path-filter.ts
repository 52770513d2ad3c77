import type { ToolError } from '@haft/core';
import { findFileType } from './file-types.ts';
import { compilePathPattern } from './path-pattern.ts';

/** Decides which files are searched, by their path below the start directory. */
export interface PathFilter {
  readonly ok: true;
  /** `below` is the path of the file's directory, with a final slash, or empty. */
  takes(below: string, name: string): boolean;
}

/** The patterns that a path must match, and those that it must not match. */
export interface PathFilterOptions {
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  /** The name of a file type. */
  readonly type?: string | undefined;
  /** Ignores letter case in `include` and `exclude`. Default false. */
  readonly ignoreCase?: boolean;
}

/** Compiles a filter for paths, or returns an error: `INVALID_PATTERN`, or `INVALID_ARGS` for an unknown file type. */
export function compilePathFilter({
  include,
  exclude,
  type,
  ignoreCase = false,
}: PathFilterOptions): PathFilter | { readonly ok: false; readonly error: ToolError } {
  const included = include === undefined ? undefined : compilePathPattern(include, ignoreCase);
  if (included?.ok === false) return included;
  const excluded = exclude === undefined ? undefined : compilePathPattern(exclude, ignoreCase);
  if (excluded?.ok === false) return excluded;
  const typed = type === undefined ? undefined : findFileType(type);
  if (typed?.ok === false) return typed;
  return {
    ok: true,
    takes: (below, name) =>
      (typed?.has(name) ?? true) &&
      (included?.matches(below, name) ?? true) &&
      !(excluded?.matches(below, name) ?? false),
  };
}
