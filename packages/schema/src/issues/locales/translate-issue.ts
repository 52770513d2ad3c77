/** Translates a segment of a phrase. */
type Say = (text: string) => string;

/** The pattern of a phrase, and its translation. `parts` are the pattern's capture groups. */
export type Translation = readonly [pattern: RegExp, say: (parts: Parts, say: Say) => string];

/** The capture groups of a pattern. Each group of these patterns always matches. */
export type Parts = readonly [string, string, string];

/**
 * Translates an issue's `expected` or `received`. Issues use a fixed set of English phrases, which the table lists.
 * Text from a schema or a value is in quotes or at the end of a phrase, and stays unchanged.
 */
export function translate(
  text: string,
  phrases: readonly Translation[],
  words: Readonly<Record<string, string>>,
  or: string,
): string {
  const say = (part: string): string => {
    if (Object.hasOwn(words, part)) return words[part] ?? part;
    const parts = splitChoices(part);
    if (parts.length > 1) return parts.map(say).join(or);
    for (const [pattern, render] of phrases) {
      const found = pattern.exec(part);
      if (found !== null) return render(found.slice(1) as unknown as Parts, say);
    }
    return part;
  };
  return say(text);
}

/**
 * Splits the alternatives of `string or array of (integer or null)`. An `or` in quotes or brackets does not separate.
 */
function splitChoices(text: string): readonly string[] {
  // A list of values or keys, and text from schemas and values, is one segment.
  if (
    /^(?:one of |text matching |a key that |the key |only the key |key |string ["]|object \{|a value[, ]|anything but |exactly )/.test(
      text,
    )
  ) {
    return [text];
  }
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (depth === 0 && text.startsWith(' or ', at)) {
      parts.push(text.slice(start, at));
      start = at + 4;
      at += 3;
    }
  }
  return [...parts, text.slice(start)];
}
