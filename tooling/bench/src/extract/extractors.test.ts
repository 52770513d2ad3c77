import { describe, expect, it } from 'vitest';
import { extractors } from '@haft-tooling/peers/tool-call-texts/extractors';
import { readFixtures, type TextCase } from '@haft-tooling/corpora/tool-call-texts';
import { judgeTexts } from './judge-texts.ts';

const examples = readFixtures().examples;
const exampleOf = (envelope: string): readonly TextCase[] =>
  examples.filter((one) => one.envelope === envelope).slice(0, 1);

describe('every measured extractor', { timeout: 60_000 }, () => {
  it.each([
    ['Haft', 'hermes'],
    ['hermes', 'hermes'],
    ['qwen3Coder', 'qwen3-coder'],
    ['morphXml', 'morph-xml'],
    ['yamlXml', 'yaml-body'],
  ])('runs, and reads its own envelope: %s', async (name, envelope) => {
    const extractor = extractors.find((one) => one.name.endsWith(name));
    const [judged] = await judgeTexts(extractor?.name ?? '', exampleOf(envelope), { textMs: 10_000, show: true });
    expect(judged?.verdict).toMatchObject({ outcome: 'exact' });
    expect(judged?.verdict.shown).toContain('weather_at');
  });

  it('is judged by missed calls, invented calls and the remaining text', async () => {
    const [one] = exampleOf('hermes');
    if (one === undefined) throw new Error('there is no example');
    const asked: readonly TextCase[] = [
      { ...one, id: 'missed', text: 'Nothing here.' },
      { ...one, id: 'invented', expected: [] },
      { ...one, id: 'spoiled', left: 'something else' },
    ];
    const outcomes = (await judgeTexts('Haft', asked, { textMs: 10_000 })).map(({ verdict }) => [
      verdict.outcome,
      verdict.spoiledText,
    ]);
    expect(outcomes).toEqual([
      ['missed', false],
      ['invented', false],
      ['exact', true],
    ]);
  });
});
