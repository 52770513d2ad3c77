import { lineEndOf, lineStartOf, type TextSpan } from './text-span.ts';

const CUE = /\b(?:example|format|syntax|for instance|e\.g\.|looks? like|would be|such as)\b[^\n]*$/i;

/**
 * Whether an envelope that prose can hold is being shown and not used: it stands in the middle of a sentence, or is
 * introduced as an example and followed by more prose. May only veto.
 */
export function isDocumentation(text: string, { start, end }: TextSpan): boolean {
  const before = text.slice(lineStartOf(text, start), start).trim();
  const after = text.slice(end, lineEndOf(text, end)).trim();
  if (isMidSentence(before) && /^[a-z,(]/.test(after)) return true;
  const rest = text.slice(end).trim();
  const introduction = before === '' ? lastLine(text.slice(Math.max(0, start - 400), start).trimEnd()) : before;
  return rest !== '' && !rest.startsWith('<') && introduction.endsWith(':') && CUE.test(introduction);
}

function isMidSentence(before: string): boolean {
  return before.split(/\s+/).length >= 2 && !/[.!?:]$/.test(before);
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
