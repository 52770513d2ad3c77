import { redactText } from '@haft/core';

const longestRead = 20_000;
const longestShown = 300;

/**
 * The beginning of what a server answered, on one line, for a message: without markup, control characters and what looks
 * like a secret. Empty when nothing is left.
 */
export function excerptBody(body: string | undefined): string {
  if (body === undefined) return '';
  const read = body.slice(0, longestRead);
  const isMarkup = /^\s*<(?:!doctype|html|\?xml|head|body)/i.test(read);
  const text = isMarkup ? read.replace(/<(style|script)\b[^>]*>[^]*?<\/\1\s*>/gi, ' ').replace(/<[^<>]*>/g, ' ') : read;
  // eslint-disable-next-line no-control-regex
  const line = redactText(text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim());
  const points = Array.from(line);
  return points.length > longestShown ? `${points.slice(0, longestShown).join('')}…` : line;
}
