const maxBracketedLength = 4_000;

/**
 * Returns the index of the bracket that closes the one before `from`. Like Bash, skips quotes, escapes and
 * substitutions. Returns undefined if the bracket is more than 4,000 characters away or uncertain.
 */
export function findClosing(text: string, from: number, open: string, close: string, depth = 0): number | undefined {
  if (depth > 20) return undefined;
  const limit = Math.min(text.length, from + maxBracketedLength);
  let level = 1;
  for (let at = from; at < limit; at += 1) {
    const character = text[at]!;
    if (character === close) {
      level -= 1;
      if (level === 0) return at;
    } else if (character === open) level += 1;
    else if (character === '\\') at += 1;
    else if (character === '$' && text[at + 1] === "'") {
      const end = findAnsiQuote(text, at + 2, limit);
      if (end === undefined) return undefined;
      at = end;
    } else if (character === "'" || character === '"' || character === '`') {
      const end = findQuote(text, at + 1, character, limit, depth);
      if (end === undefined) return undefined;
      at = end;
    } else if (character === '$' && /[({]/.test(text[at + 1] ?? '')) {
      const end = skipSubstitution(text, at + 1, depth);
      if (end === undefined) return undefined;
      at = end;
    }
  }
  return undefined;
}

/** Returns whether the brackets of `((` at `from` can be matched with certainty, as arithmetic or as commands. */
export function isPaired(text: string, from: number): boolean {
  return findClosing(text, from + 2, '(', ')') !== undefined;
}

/**
 * Returns the index after `((…))` at `from`. Returns undefined if the brackets contain commands or the result is
 * uncertain.
 */
export function findDoubleEnd(text: string, from: number): number | undefined {
  if (!text.startsWith('((', from)) return undefined;
  const end = findClosing(text, from + 2, '(', ')');
  return end !== undefined && text[end + 1] === ')' ? end + 2 : undefined;
}

/** Returns the end of `$'…'`, in which a backslash escapes a quote. */
function findAnsiQuote(text: string, from: number, limit: number): number | undefined {
  for (let at = from; at < limit; at += 1) {
    if (text[at] === "'") return at;
    if (text[at] === '\\') at += 1;
  }
  return undefined;
}

function findQuote(text: string, from: number, quote: string, limit: number, depth: number): number | undefined {
  for (let at = from; at < limit; at += 1) {
    if (text[at] === quote) return at;
    if (quote === "'") continue;
    if (text[at] === '\\') at += 1;
    else if (quote === '"' && text[at] === '$' && /[({]/.test(text[at + 1] ?? '')) {
      const end = skipSubstitution(text, at + 1, depth);
      if (end === undefined) return undefined;
      at = end;
    }
  }
  return undefined;
}

// In commands, a bracket can also be in a comment, a here-document or a `case` pattern.
const hidesBrackets = /\bcase\b|(?:^|[\s;&|(])#|<</;

function skipSubstitution(text: string, at: number, depth: number): number | undefined {
  const isCommand = text[at] === '(';
  const end = findClosing(text, at + 1, text[at]!, isCommand ? ')' : '}', depth + 1);
  return end === undefined || (isCommand && hidesBrackets.test(text.slice(at + 1, end))) ? undefined : end;
}
