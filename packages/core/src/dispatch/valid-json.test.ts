import { repairJson } from '@haft/repair';
import { describe, expect, it } from 'vitest';

describe('JSON that a schema contradicts', () => {
  it('stays unchanged when it is valid JSON, whatever the schema says', () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } } } as const;
    expect(repairJson('{"text":5}', { schema })).toMatchObject({ ok: true, value: { text: 5 }, repairs: [] });
  });

  it.each([
    'name: x\nport: 8.',
    'amount: -\nname: x',
    'a: .5\nb: 1.',
    '- a\n- b',
    'items:\n- 1\n-',
    '-',
    'list:\n  -\n  - b',
  ])('is not completed with a 0 when it is YAML-like text: %j', (text) => {
    for (const root of ['any', 'object'] as const) {
      const result = repairJson(text, { root });
      expect(JSON.stringify(result.ok ? result.value : null)).not.toContain('0');
    }
  });
});
