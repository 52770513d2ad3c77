import { toolError, type ToolError } from '@haft/core';

/** A search pattern in the form that every search engine here accepts. */
export interface CompiledPattern {
  readonly ok: true;
  readonly source: string;
  readonly flags: string;
}

/** Why a pattern can't be used. */
export interface PatternFailure {
  readonly ok: false;
  readonly error: ToolError;
}

/** How to interpret a pattern. */
export interface PatternOptions {
  readonly ignoreCase?: boolean;
  /** The pattern is literal text. */
  readonly isPlain?: boolean;
  /** A match may span lines. */
  readonly isMultiline?: boolean;
}

const maxPatternLength = 2_000;
// Escapes that have a meaning in other dialects. JavaScript would treat them as literal characters.
const knownEscapes = new Set('bBdDsSwWnrtfv0123456789xucpPk');

/**
 * Checks a pattern. The syntax is that of JavaScript's regular expressions, and `(?i)` at the start. Rejects POSIX
 * classes and anchors of other dialects, which JavaScript would misread.
 */
export function compilePattern(
  pattern: string,
  { ignoreCase = false, isPlain = false, isMultiline = false }: PatternOptions = {},
): CompiledPattern | PatternFailure {
  const inline = !isPlain && pattern.startsWith('(?i)');
  const source = isPlain ? escapePattern(pattern) : inline ? pattern.slice(4) : pattern;
  if (source.length > maxPatternLength) return refuse(pattern, `it has more than ${maxPatternLength} characters`);
  if (!isMultiline && isPlain && /[\r\n]/.test(source))
    return refuse(pattern, 'it has a line break, and lines are searched one by one; set multiline to true');
  const foreign = isPlain ? undefined : findForeign(source);
  if (foreign !== undefined) return refuse(pattern, foreign);
  const needsUnicode = /\\[pP]\{|\\u\{/.test(source);
  const flags = `${ignoreCase || inline ? 'i' : ''}${needsUnicode ? 'u' : ''}`;
  try {
    void new RegExp(source, flags);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return refuse(pattern, said.slice(said.lastIndexOf(': ') + 2));
  }
  return { ok: true, source, flags };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function findForeign(source: string): string | undefined {
  for (let index = 0; index < source.length; index += 1) {
    if (source.startsWith('[[:', index)) return 'POSIX classes such as [[:alpha:]] are not supported; write [A-Za-z]';
    if (source[index] !== '\\') continue;
    index += 1;
    const next = source[index];
    if (next === undefined) return 'it ends in a backslash';
    if (/[A-Za-z0-9]/.test(next) && !knownEscapes.has(next)) return `\\${next} is not supported`;
  }
  return undefined;
}

function refuse(pattern: string, reason: string): PatternFailure {
  const shown = pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
  return {
    ok: false,
    error: toolError('INVALID_PATTERN', `the pattern ${JSON.stringify(shown)} can't be used: ${reason}`, {
      hint: 'Write a JavaScript regular expression. To search for special characters put a backslash before each, for example "foo\\(bar\\)".',
    }),
  };
}
