/** The longest line shown, in characters; a longer one is shown around its match. */
export const maxShownLine = 500;

/** A line, or of a long one the part around an index. */
export function showAround(text: string, index: number): string {
  if (text.length <= maxShownLine) return copy(text);
  const wanted = Math.max(0, Math.min(index - 100, text.length - maxShownLine));
  const start = isLow(text, wanted) ? wanted - 1 : wanted;
  const wantedEnd = start + maxShownLine;
  const end = isLow(text, wantedEnd) ? wantedEnd - 1 : wantedEnd;
  return copy(`${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`);
}

/** The same text, which does not keep the whole text alive that it is a part of, as a part in V8 does. */
function copy(text: string): string {
  return ` ${text}`.slice(1);
}

function isLow(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
