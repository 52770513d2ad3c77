import { toolError, type ToolError } from '@haft/core';
import { compileGlob } from '@haft/sandbox';

/** A model's glob for paths below the searched directory. */
export interface PathPattern {
  readonly ok: true;
  /** `below` is the path from the searched directory to that of the entry, with a final slash, or empty. */
  matches(below: string, name: string): boolean;
}

const maxPatternLength = 1_000;

/**
 * Compiles a glob: `*`, `**`, `?`, `[abc]`, `{a,b}`. A pattern without a slash matches at any depth. Names that begin
 * with a dot match like others. Syntax of other dialects (`!(a)`, `+(a|b)`) is literal. Matching takes time in
 * proportion to the pattern and the path, for any pattern.
 */
export function compilePathPattern(
  pattern: string,
  ignoreCase = false,
): PathPattern | { readonly ok: false; readonly error: ToolError } {
  const trimmed = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  const reason = refuse(trimmed);
  if (reason !== undefined)
    return refused(`the pattern ${JSON.stringify(pattern.slice(0, 100))} can't be used: ${reason}`);
  const anywhere = /^\*\*\/(?!.*\*\*)([^/]+)$/.exec(trimmed)?.[1] ?? trimmed;
  const isName = !anywhere.includes('/');
  const glob = compileGlob(withCase(anywhere, ignoreCase));
  if (!glob.ok) return refused(glob.message);
  const matches = (path: string): boolean => glob.matches(withCase(path, ignoreCase));
  // Most patterns contain only a name, so no path has to be joined and split again.
  return { ok: true, matches: isName ? (_, entry) => matches(entry) : (below, entry) => matches(below + entry) };
}

function withCase(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

function refuse(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'it is empty';
  if (pattern.length > maxPatternLength) return `it has more than ${maxPatternLength} characters`;
  if (pattern.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pattern)) return 'it is absolute; give the folder as path';
  if (pattern.split('/').includes('..')) return 'it has ".."; give the folder as path';
  return undefined;
}

function refused(message: string): { readonly ok: false; readonly error: ToolError } {
  const hint = 'Write a glob such as "**/*.ts" or "src/{a,b}/*.json"; it is matched against paths below path.';
  return { ok: false, error: toolError('INVALID_PATTERN', message, { hint }) };
}
