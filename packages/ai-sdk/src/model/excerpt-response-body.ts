import { redactText } from '@haft/core';

const maxReadLength = 20_000;
const maxShownLength = 300;

/** Returns the beginning of a response body on one line, without markup, control characters and likely secrets. */
export function excerptBody(body: string | undefined): string {
  if (body === undefined) return '';
  const start = body.slice(0, maxReadLength);
  const isMarkup = /^\s*<(?:!doctype|html|\?xml|head|body)/i.test(start);
  const text = isMarkup
    ? start.replace(/<(style|script)\b[^>]*>[^]*?<\/\1\s*>/gi, ' ').replace(/<[^<>]*>/g, ' ')
    : start;
  // eslint-disable-next-line no-control-regex
  const line = redactText(text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim());
  const points = Array.from(line);
  return points.length > maxShownLength ? `${points.slice(0, maxShownLength).join('')}…` : line;
}
