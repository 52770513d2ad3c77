/** Maximum length of a shown line, in characters. Of a longer line, the part around the match is shown. */
export const maxShownLine = 500;

/** Returns a line or, if it is too long, its part around an index. */
export function showAround(text: string, index: number): string {
  if (text.length <= maxShownLine) return copy(text);
  const wanted = Math.max(0, Math.min(index - 100, text.length - maxShownLine));
  const start = isLow(text, wanted) ? wanted - 1 : wanted;
  const wantedEnd = start + maxShownLine;
  const end = isLow(text, wantedEnd) ? wantedEnd - 1 : wantedEnd;
  return copy(`${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`);
}

/** Copies a string. A substring would keep the whole original string in V8's memory. */
function copy(text: string): string {
  return ` ${text}`.slice(1);
}

function isLow(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
