import { describe, expect, it } from 'vitest';
import { createRandom } from '../../fixtures/create-ground.ts';
import { randomPattern } from '../../fixtures/random-pattern.ts';
import { prepareTextSearch, type FoundLine, type TextQuery, type TextSearchResult } from './text-search.ts';

const defaults: TextQuery = {
  source: 'x',
  flags: '',
  isMultiline: false,
  before: 0,
  after: 0,
  keep: 100,
  isFirstEnough: false,
};

function search(pieces: readonly string[], query: Partial<TextQuery>): TextSearchResult {
  const start = prepareTextSearch({ ...defaults, ...query })();
  for (const piece of pieces) start.push(piece);
  return start.finish();
}

/** Reference implementation of the search, line by line. */
function searchNaively(text: string, { source, flags, before, after, keep }: TextQuery): TextSearchResult {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const matching = lines.flatMap((line, index) => (new RegExp(source, flags).test(line) ? [index] : []));
  const kept = matching.slice(0, keep);
  const next = matching[keep] ?? Infinity;
  const found: FoundLine[] = lines.flatMap((line, index) => {
    const isMatch = kept.includes(index);
    const isBefore = kept.some((at) => at > index && at - index <= before);
    const isAfter = index < next && kept.some((at) => at < index && index - at <= after);
    return isMatch || isBefore || isAfter ? [{ line: index + 1, text: line, isMatch }] : [];
  });
  return { lines: found, matches: matching.length };
}

describe('a text search', () => {
  it('finds the same lines as a search line by line, for random patterns, texts and chunks', () => {
    const random = createRandom(23);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
    const atoms =
      'a b x ask x-a ask . \\s \\S \\w \\W \\D [^a] [^\\w] [ab] [^-x] [\\s\\S] [\\W_] \\n \\r \\x0a [^] é \\u0041'.split(
        ' ',
      );
    const others =
      '^ $ \\b \\B | (?=a) (?!\\s) (?!$) (?<=x) (?<!^) (?<!\\s) (?: ( ) a* b+ x? .* \\s* [^a]+ (a|^)b'.split(' ');
    let compared = 0;
    const rounds = process.env['HAFT_TEST_LONG'] === '1' ? 100_000 : 4_000;
    for (let round = 0; round < rounds; round += 1) {
      const pattern = randomPattern(random, { atoms, others, share: 0.6 });
      if (pattern === undefined) continue;
      const { source, flags } = pattern;
      const letters =
        random() < 0.15
          ? ['a', 'x', '\n', '\r', '\u2028', 'é', ' ']
          : ['a', 'b', 'x', 'A', ' ', '\n', '\n', '-', 'é', '_', 'ask', 'ASK', 'a\u017Fk', 'as\u212A', 'x-a'];
      const text = Array.from({ length: Math.floor(random() * 24) }, () => pick(letters))
        .join('')
        .replaceAll(/\r(?=\n|$)/g, '');
      const query = {
        ...defaults,
        source,
        flags,
        before: pick([0, 0, 1, 2]),
        after: pick([0, 0, 1, 3]),
        keep: pick([0, 1, 2, 100]),
      };
      const expected = searchNaively(text, query);
      const cuts = [...text.matchAll(/\n/g)].map(({ index }) => index + 1).filter(() => random() < 0.5);
      const pieces = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length));
      const shown = query.keep === 0 ? { matches: expected.matches, lines: [] } : expected;
      expect({ source, flags, text, pieces, query, found: search(pieces, query) }).toEqual({
        source,
        flags,
        text,
        pieces,
        query,
        found: shown,
      });
      compared += 1;
    }
    expect(compared).toBeGreaterThan(rounds / 4);
  }, 900_000);

  it('shows a line near two matches only once', () => {
    const { lines } = search(['x\na\nx\nb\nc\nd\nx'], { before: 1, after: 1 });
    expect(lines.map(({ line }) => line)).toEqual([1, 2, 3, 4, 6, 7]);
  });

  it('counts every match and stores the requested number', () => {
    expect(search(['x\n'.repeat(10)], { keep: 3 })).toMatchObject({
      matches: 10,
      lines: [{ line: 1 }, { line: 2 }, { line: 3 }],
    });
  });

  it('shows the part of a long line around its match', () => {
    const { lines } = search([`${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}`], { source: 'needle' });
    expect(lines[0]!.text).toContain('needle');
    expect(lines[0]!.text.length).toBeLessThan(510);
  });

  it('does not count the final line break as another line', () => {
    expect(search(['a\n'], { source: '^$' }).matches).toBe(0);
    expect(search(['a\n\n'], { source: '^$' }).lines).toMatchObject([{ line: 2 }]);
    expect(search([''], { source: 'x*' }).matches).toBe(0);
  });

  it('matches across lines on request, and shows all of them', () => {
    const query = { source: 'a\\s+b', isMultiline: true, before: 1 };
    expect(search(['0\na\n\nb\n1\na b a\nb'], query)).toEqual({
      matches: 3,
      lines: [
        { line: 1, text: '0', isMatch: false },
        { line: 2, text: 'a', isMatch: true },
        { line: 3, text: '', isMatch: true },
        { line: 4, text: 'b', isMatch: true },
        { line: 5, text: '1', isMatch: false },
        { line: 6, text: 'a b a', isMatch: true },
        { line: 7, text: 'b', isMatch: true },
      ],
    });
    expect(search(['a\nb\nc'], { source: '^', isMultiline: true }).matches).toBe(3);
  });
});
