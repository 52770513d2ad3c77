/** Longest text that is sent to the page, in UTF-16 units. */
const maxText = 200_000;

/** Cuts a text that is too long for the page, and says how much is missing. */
export function cutText(text: string): string {
  if (text.length <= maxText) return text;
  return `${text.slice(0, maxText)}\n… ${text.length - maxText} more characters`;
}

/** Formats a value as indented JSON, or as text if JSON can't represent it. */
export function asJson(value: unknown): string {
  try {
    return cutText(JSON.stringify(value, writable, 2) ?? String(value));
  } catch (cause) {
    return `This value can't be shown: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function writable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  return value;
}
