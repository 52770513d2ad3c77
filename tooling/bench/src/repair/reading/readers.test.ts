import { describe, expect, it } from 'vitest';
import { damages, makeControls, makeSingles } from '@haft-tooling/corpora/damaged-json';
import { judgeCases } from './judge-cases.ts';
import { loadReader, readers } from '@haft-tooling/peers/damaged-json/readers';
import { judge } from './verdict.ts';

describe('every measured reader', { timeout: 60_000 }, () => {
  it.each(readers.map(({ name }) => name))('reads valid JSON: %s', async (name) => {
    const plain = makeControls('development', 40).filter(({ tool }) => !['append_log', 'store_value'].includes(tool));
    const read = await loadReader(name);
    const outcomes: string[] = [];
    for (const one of plain) outcomes.push(judge(await read(one.text, one.schema), one).outcome);
    expect(outcomes.filter((outcome) => outcome === 'exact').length).toBeGreaterThan(plain.length * 0.8);
  });

  it('is judged by the values that it reads from damaged JSON', async () => {
    const cases = makeSingles(
      'development',
      3,
      damages.filter(({ name }) => name === 'single quotes'),
    );
    const outcomes = async (name: string): Promise<readonly string[]> =>
      (await judgeCases(name, cases, { caseMs: 10_000 })).map(({ verdict }) => verdict.outcome);
    const [json5 = '', sdk = ''] = ['json5', 'AI SDK'].map(
      (start) => readers.find(({ name }) => name.startsWith(start))?.name,
    );
    expect(await outcomes(json5)).toEqual(['exact', 'exact', 'exact']);
    expect(await outcomes(sdk)).toEqual(['refused', 'refused', 'refused']);
  });
});
