import picomatch from 'picomatch';
import { toolError, type ToolError } from '@haft/core';

/** A path pattern as a regular expression over paths with `/`. */
export interface CompiledGlob {
  readonly ok: true;
  readonly source: string;
  readonly flags: string;
  /** Matching it costs little on any path, so it needs no thread of its own. */
  readonly isCheap: boolean;
}

const longestGlob = 1_000;

/**
 * Compiles a glob: `*`, `**`, `?`, `[abc]`, `{a,b}`, and a leading `!` on nothing. A pattern without a slash is looked
 * for at any depth. Dot files match like others.
 */
export function compileGlob(pattern: string): CompiledGlob | { readonly ok: false; readonly error: ToolError } {
  const trimmed = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  const reason = refuse(trimmed);
  if (reason !== undefined) return { ok: false, error: invalid(pattern, reason) };
  const anywhere = trimmed.includes('/') ? trimmed : `**/${trimmed}`;
  const { source, flags } = picomatch.makeRe(anywhere, {
    dot: true,
    noextglob: true,
    nonegate: true,
    strictSlashes: true,
  });
  return { ok: true, source, flags, isCheap: isCheap(anywhere) };
}

function refuse(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'it is empty';
  if (pattern.length > longestGlob) return `it has more than ${longestGlob} characters`;
  if (pattern.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pattern)) return 'it is absolute; give the folder as path';
  if (pattern.split('/').includes('..')) return 'it has ".."; give the folder as path';
  if (!isBalanced(pattern)) return 'a bracket or brace is not closed';
  return undefined;
}

function isBalanced(pattern: string): boolean {
  let depth = 0;
  let inClass = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '{') depth += 1;
    else if (character === '}') depth = Math.max(0, depth - 1);
  }
  return depth === 0 && !inClass;
}

/** Every star may have to be tried in every place: two in a name and two over folders are harmless. */
function isCheap(pattern: string): boolean {
  const parts = pattern.split('/');
  const globstars = parts.filter((part) => part === '**').length;
  return (
    globstars <= 2 && !pattern.includes('{') && parts.every((part) => part === '**' || part.split('*').length - 1 <= 2)
  );
}

function invalid(pattern: string, reason: string): ToolError {
  return toolError('INVALID_PATTERN', `the pattern ${JSON.stringify(pattern.slice(0, 100))} can't be used: ${reason}`, {
    hint: 'Write a glob such as "**/*.ts" or "src/{a,b}/*.json"; it is matched against paths below path.',
  });
}
