import { describe, expect, it } from 'vitest';
import { createToolCallStream, extractToolCalls, type CallableTool, type ExtractOptions } from '../../calls.ts';
import corpus from '../../fixtures/forms-of-models.json' with { type: 'json' };

const kits = corpus.kits as readonly (readonly CallableTool[])[];

interface Text {
  readonly kit: number;
  readonly text: string;
  readonly stopped?: string;
}

function optionsFor({ kit, stopped }: Text): ExtractOptions {
  const tools = kits[kit] ?? [];
  return stopped === 'stop' ? { tools, stopped } : { tools };
}

describe('the forms in which models write calls', () => {
  it.each(corpus.calls)('are read: $text', (one) => {
    const { calls } = extractToolCalls(one.text, optionsFor(one));
    expect(calls.map(({ name, arguments: value }) => ({ name, arguments: value }))).toEqual(one.right);
  });

  it('are read the same in any chunks', () => {
    for (const [index, one] of [...corpus.calls, ...corpus.noCalls].entries()) {
      const options = optionsFor(one);
      const stream = createToolCallStream(options);
      const step = 1 + (index % 4);
      const events = [];
      for (let at = 0; at < one.text.length; at += step) events.push(...stream.push(one.text.slice(at, at + step)));
      events.push(...stream.end());
      const calls = events.flatMap((event) => (event.type === 'call-ended' ? [event.call] : []));
      expect({ text: one.text, calls }).toEqual({ text: one.text, calls: extractToolCalls(one.text, options).calls });
    }
  });
});

describe('text that only looks like calls', () => {
  it.each(corpus.noCalls)('holds no call: $text', (one) => {
    expect(extractToolCalls(one.text, optionsFor(one)).calls).toEqual([]);
  });
});

describe('the name of a tool with an argument in a form that is not run', () => {
  it.each(corpus.reported)('is reported with a hint: $text', (one) => {
    const { calls, rejected } = extractToolCalls(one.text, optionsFor(one));
    expect(calls).toEqual([]);
    expect(rejected.map(({ name }) => name)).toEqual(['get_weather']);
    expect(rejected[0]?.hint).toMatch(/^[A-Z].*get_weather.*\.$/);
    expect(one.text.slice(rejected[0]?.start, rejected[0]?.end)).toContain('Graz');
  });

  it.each(corpus.unrelated)('is not reported where both are unrelated: $text', (one) => {
    expect(extractToolCalls(one.text, optionsFor(one))).toMatchObject({ calls: [], rejected: [] });
  });
});
