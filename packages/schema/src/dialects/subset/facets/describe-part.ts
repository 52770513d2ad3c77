import type { JsonSchemaObject } from '../../../json-schema.ts';
import { clip, quote } from '../../../preview.ts';
import type { Note } from './facets.ts';

const longestHint = 200;

/** The words of a lowered part: what the original says, then in brackets what its keywords said: `(minimum: 1)`. */
export function describePart(note: Note, hints: readonly string[] = []): JsonSchemaObject {
  const { title, description, fallback } = note;
  const said = fallback === undefined ? hints : [...hints, `default: ${quote(fallback, 60)}`];
  const brackets = said.length === 0 ? [] : [`(${said.join('; ')})`];
  const text = [...(description === undefined ? [] : [description]), ...brackets].join(' ');
  return { ...(title === undefined ? {} : { title }), ...(text === '' ? {} : { description: text }) };
}

/** A keyword that the dialect does not take, in words for the model. */
export function hintOf(keyword: string, value: unknown): string {
  if (value === true) return keyword;
  return `${keyword}: ${clip(typeof value === 'string' ? value : JSON.stringify(value), longestHint)}`;
}
