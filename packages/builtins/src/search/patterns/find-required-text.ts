const shortest = 3;

/**
 * The longest plain text that every match of a pattern must hold, or undefined when there is none to be sure of: a file
 * without it need not be searched line by line. Only ASCII, whose bytes are the same in all encodings but UTF-16.
 */
export function findRequiredText(source: string, flags: string): string | undefined {
  if (flags.includes('i') || source.includes('|')) return undefined;
  const runs: string[] = [];
  let run = '';
  const end = (): void => {
    runs.push(run);
    run = '';
  };
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index]!;
    if (character === '(' || character === '[') {
      end();
      index = character === '(' ? skipGroup(source, index) : skipClass(source, index);
    } else if (character === '?' || character === '*' || character === '{') {
      // The character before it may be missing.
      run = run.slice(0, -1);
      end();
      if (character === '{') index = Math.max(index, source.indexOf('}', index));
    } else if (character === '+' || character === '.' || character === '^' || character === '$') end();
    else if (character === '\\') {
      index += 1;
      const escaped = source[index] ?? '';
      if (/[\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E]/.test(escaped)) run += escaped;
      else {
        end();
        // \x41, \u0041, \p{L} and the like: what they stand for is not worked out.
        const rest = /^(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|\d+)/.exec(
          source.slice(index),
        );
        if (rest) index += rest[0].length - 1;
      }
    } else if (/[\x20-\x7E]/.test(character)) run += character;
    else end();
  }
  end();
  const longest = runs.reduce((best, next) => (next.length > best.length ? next : best), '');
  return longest.length >= shortest ? longest : undefined;
}

function skipClass(source: string, from: number): number {
  let index = from + 1;
  while (index < source.length && source[index] !== ']') index += source[index] === '\\' ? 2 : 1;
  return index;
}

function skipGroup(source: string, from: number): number {
  let depth = 0;
  for (let index = from; index < source.length; index += 1) {
    if (source[index] === '\\') index += 1;
    else if (source[index] === '[') index = skipClass(source, index);
    else if (source[index] === '(') depth += 1;
    else if (source[index] === ')') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return source.length;
}
