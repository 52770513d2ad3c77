import type { JsonValue } from '@haft/repair';

import { createMaterial } from '../material/material.ts';
import { createRandom } from '../random.ts';
import { textOf, unitsOf, writeTokens } from '../json-documents/tokens.ts';
import type { Token } from '../json-documents/tokens.ts';

/** One kind of text for measuring speed. */
export interface SpeedText {
  readonly name: string;
  /** Whether the text is undamaged, so that `JSON.parse` is the yardstick. */
  readonly valid?: true;
  /** Approximate length in UTF-16 units. */
  readonly make: (size: number) => string;
}

/** Rows of a table, like the result of a query. */
function makeRecords(size: number): JsonValue {
  const random = createRandom('speed/records');
  const material = createMaterial(random);
  const rows: JsonValue[] = [];
  for (let length = 0; length < size;) {
    const row = {
      id: rows.length + 1,
      name: material.make('phrase'),
      path: material.make('path'),
      note: material.make('prose'),
      active: random.chance(0.5),
      score: random.whole(0, 1_000) / 8,
      parent: random.chance(0.3) ? null : random.whole(1, 500),
      tags: [material.make('word'), material.make('word')],
    };
    rows.push(row);
    length += JSON.stringify(row).length + 1;
  }
  return { rows };
}

/** A long source text for a file. */
function makeBigText(size: number): JsonValue {
  const random = createRandom('speed/text');
  const material = createMaterial(random);
  const parts: string[] = [];
  for (let length = 0; length < size;) {
    const part = material.make('code');
    parts.push(part);
    length += JSON.stringify(part).length;
  }
  return { path: 'src/long.ts', content: parts.join('\n') };
}

const tokensOf = (value: JsonValue): readonly Token[] => writeTokens(value, { spacing: 'spaced', ascii: false });
const rewrite = (value: JsonValue, change: (token: Token) => string): string => tokensOf(value).map(change).join('');
const inside = ({ text }: Token): string => text.slice(1, -1);

export const speedTexts: readonly SpeedText[] = [
  { name: 'valid records', valid: true, make: (size) => textOf(tokensOf(makeRecords(size))) },
  { name: 'one valid long text', valid: true, make: (size) => textOf(tokensOf(makeBigText(size))) },
  {
    name: 'records with trailing commas',
    make: (size) => rewrite(makeRecords(size), (token) => (token.kind === 'close' ? `,${token.text}` : token.text)),
  },
  { name: 'records without the closers at the end', make: (size) => textOf(tokensOf(makeRecords(size)).slice(0, -2)) },
  {
    name: 'records as JavaScript writes them',
    make: (size) =>
      rewrite(makeRecords(size), (token) => {
        if (token.kind === 'key') return inside(token);
        if (token.kind === 'string') return `'${inside(token).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;
        return token.kind === 'close' ? `,${token.text}` : token.text;
      }),
  },
  {
    name: 'one long text with raw newlines',
    make: (size) =>
      rewrite(makeBigText(size), (token) =>
        token.kind === 'string'
          ? `"${unitsOf(token.text)
              .map((unit) => (unit === '\\n' ? '\n' : unit))
              .join('')}"`
          : token.text,
      ),
  },
  {
    name: 'records with unescaped quotes',
    make: (size) =>
      rewrite(makeRecords(size), (token) =>
        token.kind === 'string' && token.text.includes(' ') ? `"a "${inside(token)}" b"` : token.text,
      ),
  },
  {
    name: 'records as Python writes them, fenced, in prose',
    make: (size) => {
      const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
      const body = rewrite(makeRecords(size), ({ kind, text }) => (kind === 'word' ? (words[text] ?? text) : text));
      return `Here are the rows:\n\n\`\`\`json\n${body}\n\`\`\`\n\nThat is all of them.`;
    },
  },
];
