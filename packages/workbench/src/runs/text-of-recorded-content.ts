import { asJson } from '../contract/as-json.ts';

/** Returns the text of a stored content. Other parts are named by their type. */
export function textOfContent(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return asJson(content);
  return (content as readonly unknown[]).map(textOfPart).join('\n');
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return String(part);
  const { type, text, value } = part as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return text;
  if (value !== undefined) return asJson(value);
  return `[${typeof type === 'string' ? type : 'part'}]`;
}
