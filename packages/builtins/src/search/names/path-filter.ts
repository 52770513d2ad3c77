import type { ToolError } from '@haft/core';
import { findFileType } from './file-types.ts';
import { compilePathPattern } from './path-pattern.ts';

/** Which files are searched, by their path below the start. */
export interface PathFilter {
  readonly ok: true;
  /** `below` leads to the folder of the file, with a slash at its end, or is empty. */
  takes(below: string, name: string): boolean;
}

/** What a path must fit, all of it, and must not. */
export interface PathFilterOptions {
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  /** The name of a file type. */
  readonly type?: string | undefined;
  /** Upper and lower case are the same in `include` and `exclude`. Default false. */
  readonly ignoreCase?: boolean;
}

/** Compiles a filter over paths, or says what can't be used: `INVALID_PATTERN`, and `INVALID_ARGS` for a type unknown here. */
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
