import { documents } from './documents.ts';

/** A document with one wrong token. */
export interface TokenDamage {
  /** What was done to which kind of token: `delete {`, `double key quote`. */
  readonly damage: string;
  readonly text: string;
  readonly truth: object;
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isKey: boolean;
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(tokenPattern)].map(({ 0: token, index }) => {
    const end = index + token.length;
    return { start: index, end, text: token, isKey: token.startsWith('"') && /^\s*:/.test(text.slice(end)) };
  });
}

/** Other signs that models write for a token. */
const otherSigns: Readonly<Record<string, readonly string[]>> = {
  '{': ['['],
  '[': ['{'],
  '}': [']'],
  ']': ['}'],
  ',': [';', '.', ':'],
  ':': ['=', ',', '=>'],
};

/** The layouts of the documents. */
const layouts: readonly ((document: object) => string)[] = [
  (document) => JSON.stringify(document),
  (document) => JSON.stringify(document, null, 1).replaceAll(/\n\s*/g, ' '),
  (document) => JSON.stringify(document, null, 2),
];

/**
 * Damages the documents, once in each text: deletes or doubles a bracket, a comma, a colon or a quote, or writes another
 * sign instead.
 */
export function makeTokenDamages(): readonly TokenDamage[] {
  return documents.flatMap((truth) =>
    layouts.flatMap((layout) => {
      const whole = layout(truth);
      return tokensOf(whole).flatMap((token): readonly TokenDamage[] => {
        const { start, end, text, isKey } = token;
        const put = (damage: string, from: number, to: number, written: string): TokenDamage => ({
          damage,
          text: whole.slice(0, from) + written + whole.slice(to),
          truth,
        });
        if (text.length === 1 && text in otherSigns) {
          return [
            put(`delete ${text}`, start, end, ''),
            put(`double ${text}`, start, end, text + text),
            ...(otherSigns[text] ?? []).map((other) => put(`${text} to ${other}`, start, end, other)),
          ];
        }
        if (!text.startsWith('"')) return [];
        const kind = isKey ? 'key' : 'string';
        const inner = text.slice(1, -1);
        return [
          put(`delete the first quote of a ${kind}`, start, start + 1, ''),
          put(`delete the last quote of a ${kind}`, end - 1, end, ''),
          put(`delete the quotes of a ${kind}`, start, end, inner),
          put(`double the first quote of a ${kind}`, start, start + 1, '""'),
          put(`double the last quote of a ${kind}`, end - 1, end, '""'),
          put(`apostrophes around a ${kind}`, start, end, `'${inner}'`),
          put(`an apostrophe before a ${kind}`, start, start + 1, "'"),
          put(`an apostrophe after a ${kind}`, end - 1, end, "'"),
          put(`escape the first quote of a ${kind}`, start, start + 1, '\\"'),
          put(`escape the last quote of a ${kind}`, end - 1, end, '\\"'),
        ];
      });
    }),
  );
}

/** Returns a JSON Schema that a value satisfies, with the types of its members. */
export function schemaOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null) return { type: ['string', 'null'] };
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value !== 'object') return { type: Number.isInteger(value) ? 'integer' : typeof value };
  const members = Object.entries(value).map(([key, member]) => [key, schemaOf(member)] as const);
  return { type: 'object', properties: Object.fromEntries(members), required: Object.keys(value) };
}
