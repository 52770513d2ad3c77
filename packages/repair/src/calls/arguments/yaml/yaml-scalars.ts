import type { JsonValue } from '../../../json/result/json-value.ts';
import type { Shape } from '../../../json/result/shape.ts';
import { repairJson } from '../../../json/document/repair-json.ts';

/** A scalar on one line, with what is declared of it: text stays as it is written where a string is. */
export function readScalar(written: string, shape: Shape | undefined): JsonValue {
  if (/^[[{"']/.test(written)) {
    const result = repairJson(written);
    if (result.ok && result.complete) return result.value;
  }
  const comment = written.indexOf(' #');
  const text = (comment === -1 ? written : written.slice(0, comment)).trimEnd();
  if (text === '~' || /^(?:null|Null|NULL)$/.test(text)) return null;
  const { kinds } = shape ?? {};
  if (kinds?.has('string') === true && !['number', 'integer', 'boolean'].some((kind) => kinds.has(kind))) return text;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  return /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}

/** What quoted text over several lines says: a line break is a space, and blank lines are line breaks. */
export function readQuoted(lines: readonly string[]): string | undefined {
  const text = fold(lines.map((line) => line.trim())).trim();
  const quote = text[0];
  if (text.length < 2 || !text.endsWith(quote ?? '')) return undefined;
  if (quote === "'") return text.slice(1, -1).replaceAll("''", "'");
  try {
    return JSON.parse(text.replaceAll('\n', '\\n')) as string;
  } catch {
    return undefined;
  }
}

/** Whether the quote that begins a text is closed in it. */
export function isClosedQuote(text: string): boolean {
  return /^(?:"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')\s*(?:#.*)?$/.test(text);
}

/** Joins lines as YAML folds them: a single line break is a space, blank lines and lines that are indented further keep theirs. */
export function fold(lines: readonly string[]): string {
  let text = lines[0] ?? '';
  let blank = 0;
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '') {
      blank += 1;
      continue;
    }
    const isKept = line.startsWith(' ') || (lines[index - 1 - blank] ?? '').startsWith(' ');
    text += blank === 0 && !isKept ? ' ' : '\n'.repeat(blank + (isKept ? 1 : 0));
    text += line;
    blank = 0;
  }
  return text;
}
