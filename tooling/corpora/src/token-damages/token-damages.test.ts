import { extractToolCalls, repairJson } from '@haft/repair';
import { describe, expect, it } from 'vitest';

import { isSameValue } from '../same-value.ts';
import { followCalls } from '../tool-call-texts/index.ts';
import { makeTokenDamages, schemaOf, type TokenDamage } from './index.ts';

const damages = makeTokenDamages();

/** Between numbers, these leave another valid or likely value, so that nothing shows the damage: `1.2`, `1:2` and `12` for `1,2`. */
const mayBeHidden = ({ damage }: TokenDamage): boolean => /^(?:, to [.:]|delete ,)$/.test(damage);

function isValueOf(text: string, truth: object): boolean {
  try {
    return isSameValue(JSON.parse(text), truth);
  } catch {
    return false;
  }
}

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
/** Every fourth text, or every eleventh in the short form, because reading calls takes longer. */
const some = damages.filter((_, index) => index % (isLong ? 4 : 11) === 0);

/** Forms of a call around damaged arguments. */
const forms: Readonly<Record<string, (json: string) => string>> = {
  'in tags': (json) => `<tool_call>\n{"name": "save", "arguments": ${json}}\n</tool_call>`,
  alone: (json) => `{"name": "save", "arguments": ${json}}`,
  'as an action': (json) => `Action: save\nAction Input: ${json}`,
};
const toolsFor = (truth: object) => [{ name: 'save', description: 'Saves.', parameters: schemaOf(truth) }];

describe('one damaged token', () => {
  it('leaves no text with the original value', () => {
    expect(new Set(damages.map(({ damage }) => damage)).size).toBe(42);
    expect(damages.filter(({ text, truth }) => isValueOf(text, truth))).toEqual([]);
  });

  it('is repaired in most JSON texts, and rarely leaves a wrong value that counts as complete', () => {
    const verdicts = damages.map(({ text, truth }) => {
      const result = repairJson(text, { stopped: 'stop' });
      if (!result.ok || !result.complete) return 'reported';
      return isSameValue(result.value, truth) ? 'right' : 'wrong';
    });
    const share = (verdict: string): number => verdicts.filter((one) => one === verdict).length / verdicts.length;
    expect(share('right')).toBeGreaterThan(0.85);
    expect(share('wrong')).toBeLessThan(0.03);
  });

  it.each(Object.entries(forms))('rarely changes a call %s that is returned', (_name, form) => {
    const verdicts = some.map((one) => {
      const { calls, rejected } = extractToolCalls(form(one.text), { tools: toolsFor(one.truth) });
      const [call] = calls;
      if (call === undefined) return rejected.length > 0 ? 'reported' : 'lost';
      return calls.length === 1 && isSameValue(call.arguments, one.truth)
        ? 'right'
        : mayBeHidden(one)
          ? 'hidden'
          : 'wrong';
    });
    const share = (verdict: string): number => verdicts.filter((one) => one === verdict).length / verdicts.length;
    expect(verdicts).not.toContain('lost');
    expect(share('right')).toBeGreaterThan(0.8);
    expect(share('wrong')).toBeLessThan(0.025);
    expect(share('hidden')).toBeLessThan(0.015);
  });

  it('gives the same calls when the message arrives in chunks', () => {
    for (const { text, truth } of some.filter((_, index) => index % 2 === 0)) {
      const message = forms['in tags']?.(text) ?? '';
      const options = { tools: toolsFor(truth) };
      const { deltas, ...streamed } = followCalls(message.match(/[^]{1,3}/g) ?? [], options);
      expect(streamed).toEqual(extractToolCalls(message, options));
      expect(deltas.map((delta) => JSON.parse(delta) as unknown)).toEqual(streamed.calls.map((call) => call.arguments));
    }
  });
});
