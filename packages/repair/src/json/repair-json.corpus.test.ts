import { describe, expect, it } from 'vitest';
import corpus from '../fixtures/annex-c.json' with { type: 'json' };
import { repairJson } from './repair-json.ts';
import type { RepairOptions } from './repair-options.ts';

describe('the corpus of repairs', () => {
  it.each(corpus)('$text: $why', (entry) => {
    const result = repairJson(entry.text, (entry.options ?? {}) as RepairOptions);
    const { code, position, valueAsJson, risk, complete, fixes } = entry;
    const seen = result.ok
      ? // Compared as text, so that a member named __proto__ is seen.
        {
          valueAsJson: JSON.stringify(result.value),
          risk: result.risk,
          complete: result.complete,
          fixes: result.repairs.map((repair) => repair.code),
        }
      : { code: result.code, position: result.position };
    expect(seen).toEqual(code === undefined ? { valueAsJson, risk, complete, fixes } : { code, position });
  });
});
