import type { Case } from './cases.ts';
import { makeShortDocuments } from './cases.ts';
import { readPrefix } from '../json-documents/prefix-value.ts';

/** Creates every proper prefix of some short documents, with its value. */
export function makePrefixes(split: string, documents: number): readonly Case[] {
  return makeShortDocuments(split, documents).flatMap((text, document) =>
    Array.from({ length: text.length - 1 }, (_, index): Case => {
      const prefix = text.slice(0, index + 1);
      const read = readPrefix(prefix);
      if (!read.found) throw new Error(`a document that begins with white space: ${JSON.stringify(prefix)}`);
      return {
        id: `${split}/prefixes/${document}/${index}`,
        text: prefix,
        truth: read.value,
        alternatives: [],
        damages: ['prefix'],
        group: 'prefix',
        tool: '',
        schema: {},
        untouched: [],
        begin: 0,
        closer: prefix.length,
        ends: [],
      };
    }),
  );
}
