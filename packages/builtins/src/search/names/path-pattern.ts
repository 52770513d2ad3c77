import { toolError, type ToolError } from '@haft/core';
import { compileGlob } from '@haft/sandbox';

/** A glob that a model wrote, over paths below the folder that is searched. */
export interface PathPattern {
  readonly ok: true;
  /** `below` leads from the folder that is searched to that of the entry, with a slash at its end, or is empty. */
  matches(below: string, name: string): boolean;
}

const maxPatternLength = 1_000;

/**
 * Compiles a glob: `*`, `**`, `?`, `[abc]`, `{a,b}`. A pattern without a slash is looked for at any depth. Dot files match
 * like others, and what only other dialects know (`!(a)`, `+(a|b)`) is literal: matching takes time in proportion to
 * pattern and path, whatever a model wrote.
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
  // Most patterns are about names: then no path has to be put together to be taken apart.
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
