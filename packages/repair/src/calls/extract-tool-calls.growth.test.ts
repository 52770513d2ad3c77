import { describe, expect, it } from 'vitest';
import { extractToolCalls } from './extract-tool-calls.ts';

const repeat =
  (unit: string) =>
  (length: number): string =>
    unit.repeat(Math.ceil(length / unit.length));

// Each makes a naive reader search the rest of the text again and again.
const shapes: readonly (readonly [string, (length: number) => string])[] = [
  ['openers', repeat('<tool_call>')],
  ['openers of unfinished calls', repeat('<tool_call>{"a":"')],
  ['closers inside unfinished strings', repeat('<tool_call>{"name":"ls","arguments":{"p":"x</tool_call>')],
  ['whole calls', repeat('<tool_call>{"name":"ls","arguments":{"p":"x"}}</tool_call>')],
  ['unclosed reasoning', repeat('<think>')],
  ['white space', repeat(' ')],
  ['backticks', repeat('``a ')],
  ['fences', repeat('```json\n{')],
  ['calls in one list', (length) => `[${'{name: "ls", arguments: {}}, '.repeat(length / 29)}]`],
  ['data in a row', repeat('{a:1,}')],
  ['unfinished code', repeat('[ls(a=')],
  ['tagged arguments that never close', repeat('<function=ls><parameter=a>x</parameter>y')],
  [
    'YAML lists',
    (length) => `<tool_call>\nname: ls\narguments:\n  x:\n${'    - a: 1\n'.repeat(length / 11)}</tool_call>`,
  ],
  ['tags of one name', repeat('<ls><a>')],
];

function bestOf(rounds: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

describe('the time to find calls', () => {
  it.each(shapes)('grows no faster than the text: %s', (_name, make) => {
    const length = 10_000;
    const [small, large] = [make(length), make(length * 8)];
    const read = (text: string): void => void extractToolCalls(text, { tools: [{ name: 'ls' }] });
    // Eight times the text may take eight times as long; a quadratic reader takes sixty-four times as long.
    const ratio = (): number =>
      bestOf(3, () => read(large)) /
      Math.max(
        bestOf(4, () => read(small)),
        1,
      );
    const ratios = [ratio()];
    while (Math.min(...ratios) >= 44 && ratios.length < 3) ratios.push(ratio());
    expect(Math.min(...ratios)).toBeLessThan(44);
  });

  it('does not depend on how many tools are declared', () => {
    const text = repeat('a <b> <tool_x> {"y": 1} ')(100_000);
    const tools = Array.from({ length: 2_000 }, (_, index) => ({ name: `tool_${index}` }));
    const few = Math.max(
      bestOf(4, () => void extractToolCalls(text, { tools: tools.slice(0, 20) })),
      2,
    );
    const many = bestOf(3, () => void extractToolCalls(text, { tools }));
    expect(many / few).toBeLessThan(20);
  });
});
