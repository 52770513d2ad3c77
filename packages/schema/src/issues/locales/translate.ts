/** Says a part of a phrase in the other language. */
type Say = (text: string) => string;

/** A phrase, and how it is said; the parts are what the brackets of the pattern found. */
export type Translation = readonly [pattern: RegExp, say: (parts: Parts, say: Say) => string];

/** What the brackets of a pattern found; a bracket that the pattern has always finds something. */
export type Parts = readonly [string, string, string];

/**
 * Says in another language what an issue expects or received. Issues are written in a small English of their own, whose
 * phrases are the table; what comes from a schema or a value stands at the end of a phrase or in quotes, and stays as it is.
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

/** The alternatives of `string or array of (integer or null)`: an `or` in quotes or brackets joins nothing. */
function splitChoices(text: string): readonly string[] {
  // A list of values or keys, and what was written by others, is one part.
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
