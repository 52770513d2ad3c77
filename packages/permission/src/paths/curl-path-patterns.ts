const maxTexts = 64;

/**
 * Expands `{a,b}` and `[a-c]` in a URL or an upload name as curl does. Returns undefined if there are too many results
 * or the pattern cannot be parsed.
 */
export function expandCurlPattern(pattern: string): readonly string[] | undefined {
  let texts: readonly string[] = [''];
  const token = /\{([^{}]*)\}|\[([^[\]]*)\]|[^{[]+|[^]/g;
  for (const [text, list, range] of pattern.matchAll(token)) {
    const own = list !== undefined ? list.split(',') : range !== undefined ? readRange(range) : [text];
    if (!own || texts.length * own.length > maxTexts) return undefined;
    texts = texts.flatMap((before) => own.map((next) => before + next));
  }
  return texts;
}

function readRange(range: string): readonly string[] | undefined {
  const [, first = '', last = '', step = '1'] = /^(\w+)-(\w+)(?::(\d+))?$/.exec(range) ?? [];
  const isNumber = /^\d+$/.test(first + last);
  // `[::1]` is an IPv6 address.
  if (first === '') return /^[\da-f:.]+$/i.test(range) && range.includes(':') ? [`[${range}]`] : undefined;
  if (!isNumber && (first.length !== 1 || last.length !== 1)) return undefined;
  const [start, end] = isNumber ? [Number(first), Number(last)] : [first.codePointAt(0)!, last.codePointAt(0)!];
  const values: string[] = [];
  for (let value = start; value <= end; value += Math.max(Number(step), 1)) {
    if (values.length === maxTexts) return undefined;
    values.push(isNumber ? String(value).padStart(first.length, '0') : String.fromCodePoint(value));
  }
  return values;
}
