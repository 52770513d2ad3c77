const escapePattern = /\\(?:([nrtbf0'"\\/])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U000([\da-fA-F]{5})|(\n))|\\/g;
const characterByEscape: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' };

const drivePattern = /^[A-Za-z]:\\(?!\\)/;

/** Returns the value of the text between quotes with a prefix such as `r`, or undefined if it is ambiguous. */
export function decode(inside: string, prefix: string): string | undefined {
  if (prefix.includes('f') && /[{}]/.test(inside)) return undefined;
  if (prefix.includes('r') || !inside.includes('\\')) return inside;
  // A path with single backslashes.
  if (drivePattern.test(inside)) return undefined;
  let isKnown = true;
  const text = inside.replaceAll(escapePattern, (whole, one: string | undefined, ...others: (string | undefined)[]) => {
    if (one !== undefined) return characterByEscape[one] ?? one;
    const [byte, unit, point, line] = others;
    const code = byte ?? unit ?? point;
    isKnown &&= code !== undefined || line !== undefined;
    return code === undefined ? '' : String.fromCodePoint(Number.parseInt(code, 16));
  });
  return isKnown ? text : undefined;
}
