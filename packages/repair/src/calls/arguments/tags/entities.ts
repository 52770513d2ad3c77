const ENTITY = /&(?:amp|lt|gt|quot|apos|#(\d{1,6})|#x([\da-fA-F]{1,6}));/g;
const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

/**
 * Text of XML with its entities as the signs they stand for. Left as it is where signs stand in it that XML would have as
 * entities: then it is no text of XML, and what looks like an entity is meant as it is written.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&') || /[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[\da-fA-F]{1,6});)/.test(text)) return text;
  return text.replaceAll(ENTITY, (entity, decimal: string | undefined, hexadecimal: string | undefined) => {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '0', 16) : Number(decimal);
    return NAMED[entity] ?? String.fromCodePoint(Math.min(code, 0x10_ff_ff));
  });
}
