import { describe, expect, it } from 'vitest';

import type { FuzzInput, Outcome } from './inputs/input.ts';
import { minimise } from './minimise.ts';

const broken = { law: 'no x before y', detail: '' };
const check = ({ text }: FuzzInput): Outcome => (/x.*y/.test(text) ? { traits: [], broken } : { traits: [] });

describe('minimise', () => {
  it('keeps only the text that breaks the law', async () => {
    const input: FuzzInput = {
      target: 'json',
      salt: 1,
      text: `${'a'.repeat(300)}x${'b'.repeat(300)}y${'c'.repeat(300)}`,
    };
    expect(await minimise({ input, broken }, check)).toEqual({ input: { ...input, text: 'xy' }, broken });
  });

  it('does not confuse two laws', async () => {
    const other = { law: 'something else', detail: '' };
    const input: FuzzInput = { target: 'json', salt: 1, text: 'xxyy' };
    const shortest = await minimise({ input, broken }, ({ text }) => ({
      traits: [],
      broken: text.length > 2 ? broken : other,
    }));
    expect(shortest.input.text).toHaveLength(3);
  });
});
