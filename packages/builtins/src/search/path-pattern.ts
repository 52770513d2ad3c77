import { toolError, type ToolError } from '@haft/core';
import { compileGlob } from '@haft/sandbox';

/** A glob that a model wrote, over paths below the folder that is searched. */
export interface PathPattern {
  readonly ok: true;
  matches(path: string): boolean;
}

const longestPattern = 1_000;

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
  const glob = compileGlob(ignoreCase ? trimmed.toLowerCase() : trimmed);
  if (!glob.ok) return refused(glob.message);
  const matches = (path: string): boolean => glob.matches(ignoreCase ? path.toLowerCase() : path);
  if (trimmed.includes('/')) return { ok: true, matches };
  return { ok: true, matches: (path) => matches(path.slice(path.lastIndexOf('/') + 1)) };
}

function refuse(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'it is empty';
  if (pattern.length > longestPattern) return `it has more than ${longestPattern} characters`;
  if (pattern.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pattern)) return 'it is absolute; give the folder as path';
  if (pattern.split('/').includes('..')) return 'it has ".."; give the folder as path';
  return undefined;
}

function refused(message: string): { readonly ok: false; readonly error: ToolError } {
  const hint = 'Write a glob such as "**/*.ts" or "src/{a,b}/*.json"; it is matched against paths below path.';
  return { ok: false, error: toolError('INVALID_PATTERN', message, { hint }) };
}
