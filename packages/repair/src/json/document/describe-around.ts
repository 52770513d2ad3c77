import { afterWhitespace } from '../text/plain-text.ts';
import { createRepair, type Repair, type RepairRisk } from '../result/repair-result.ts';
import { reasoningEnd } from '../text/reasoning.ts';
import { matchEnd } from '../text/characters.ts';

/** Text around a value that is not part of it, and the pattern that matches it. */
type Surrounding = readonly [code: string, risk: RepairRisk, pattern: RegExp];

const around: readonly Surrounding[] = [
  ['odd-space', 'safe', /[\ufeff\u00a0\u2000-\u200f]+/y],
  ['code-fence', 'safe', /(?:```|~~~)[\p{L}\p{N}_$.`~-]*/uy],
  ['line-comment', 'safe', /\/\/[^\n]*|\/\*[^]*?\*\//y],
  // `<tag>`, `</tag>`, `<|token|>`, `[TOKEN]`
  ['tag', 'safe', /<\/?[|\uff5c!a-zA-Z][^>]{0,200}>|\[\/?[A-Z_]{3,200}\]/y],
];
/** A quote around the whole document. */
const outerQuote: Surrounding = ['outer-quote', 'safe', /["'`]/y];
/** `name =`, `const name =`, `return`, `name(`. */
const statement: Surrounding = [
  'statement',
  'safe',
  /return(?![\w$])|[\p{L}_$][\p{L}\p{N}_$.:-]*(?:(?:[ \t]+[\p{L}\p{N}_$.:-]+){0,3}[ \t]*=(?!=)|(?:[ \t]+[\p{L}\p{N}_$.:-]+)?[ \t]*\()/uy,
];
const before: readonly Surrounding[] = [...around, statement, outerQuote];
const after: readonly Surrounding[] = [
  ...around,
  ['statement', 'safe', /[);]/y],
  outerQuote,
  ['extra-closer', 'lossy', /[}\],]/y],
];

/** Lists the text before a value that begins at `to`. */
export const describeBefore = (text: string, to: number): Repair[] => describe(text, 0, to, before, 'prose-before');

/** Lists the text after a value that ends at `from`. */
export function describeAfter(text: string, from: number): Repair[] {
  return describe(text, from, text.length, after, 'prose-after');
}

function describe(
  text: string,
  from: number,
  to: number,
  surroundings: readonly Surrounding[],
  rest: string,
): Repair[] {
  const repairs: Repair[] = [];
  const unending = new Set<string>();
  for (let start = afterWhitespace(text, from); start < to; start = afterWhitespace(text, start)) {
    const thought = surroundings === before ? reasoningEnd(text, start, unending) : -1;
    let [code, risk, end]: [string, RepairRisk, number] = [rest, 'lossy', to];
    if (thought > start) [code, risk, end] = ['reasoning', 'safe', thought];
    else
      for (const [name, gravity, pattern] of surroundings) {
        const found = matchEnd(pattern, text, start);
        if (found <= start || found > to) continue;
        [code, risk, end] = [name, gravity, found];
        break;
      }
    repairs.push(createRepair(text, code, risk, start, end));
    start = end;
  }
  return repairs;
}
