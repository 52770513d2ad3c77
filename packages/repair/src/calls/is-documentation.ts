import { skipSpace, type TextSpan } from './text-span.ts';

const REACH = 400;
const CUE = /\b(?:example|format|syntax|for instance|e\.g\.|looks? like|would be|such as)\b[^\n]*$/i;

/**
 * Whether an envelope that prose can hold is being shown and not used: it stands in the middle of a sentence, or is
 * introduced as an example and followed by more prose. May only veto.
 */
export function isDocumentation(text: string, { start, end }: TextSpan): boolean {
  const nearby = text.slice(Math.max(0, start - REACH), start);
  const before = nearby.slice(nearby.lastIndexOf('\n') + 1).trim();
  const after = text.slice(end, end + REACH);
  if (isMidSentence(before) && /^ {0,9}[a-z,(]/.test(after)) return true;
  const introduction = before === '' ? lastLine(nearby.trimEnd()) : before;
  if (!introduction.endsWith(':') || !CUE.test(introduction)) return false;
  const next = text[skipSpace(text, end)];
  return next !== undefined && next !== '<';
}

function isMidSentence(before: string): boolean {
  return before.split(/\s+/).length >= 2 && !/[.!?:]$/.test(before);
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
