import type { JsonSchemaObject } from '../../../json-schema.ts';
import { clip, quote } from '../../../preview.ts';
import type { Note } from './facets.ts';

const maxHintLength = 200;

/**
 * Returns the description of a converted schema: the original text, then dropped keywords in brackets: `(minimum: 1)`.
 */
export function describePart(note: Note, hints: readonly string[] = []): JsonSchemaObject {
  const { title, description, fallback } = note;
  const said = fallback === undefined ? hints : [...hints, `default: ${quote(fallback, 60)}`];
  const brackets = said.length === 0 ? [] : [`(${said.join('; ')})`];
  const text = [...(description === undefined ? [] : [description]), ...brackets].join(' ');
  return { ...(title === undefined ? {} : { title }), ...(text === '' ? {} : { description: text }) };
}

/** Describes, for the model, a keyword that the dialect does not accept. */
export function hintOf(keyword: string, value: unknown): string {
  if (value === true) return keyword;
  return `${keyword}: ${clip(typeof value === 'string' ? value : JSON.stringify(value), maxHintLength)}`;
}
