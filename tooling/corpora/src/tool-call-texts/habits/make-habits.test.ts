import { createToolCallStream, extractToolCalls } from '@haft/repair';
import { describe, expect, it } from 'vitest';

import { isSameValue } from '../../same-value.ts';
import type { TextCase } from '../calls/text-case.ts';
import { readFixtures } from '../fixtures-of-package.ts';
import { makeCallless } from '../make-callless.ts';
import { makeTexts } from '../make-texts.ts';
import { makeHabits, makeMentions } from './make-habits.ts';

// The held-out half is only counted. Its texts were not inspected while the rules were written.
const splits = ['development', 'held-out'] as const;

const optionsFor = ({ tools, stopped }: TextCase) => ({ tools, ...(stopped === undefined ? {} : { stopped }) });

const callsIn = (one: TextCase): unknown =>
  extractToolCalls(one.text, optionsFor(one)).calls.map(({ name, arguments: value }) => ({ name, arguments: value }));

describe('messages in the habits of models', () => {
  it.each(splits)('contain exactly the intended calls: %s', (split) => {
    const texts = makeHabits(split, 6);
    expect(texts.length).toBeGreaterThan(90);
    expect(texts.filter((one) => !isSameValue(callsIn(one), one.expected)).map(({ id }) => id)).toEqual([]);
  });

  it.each(splits)('that only mention calls contain no call: %s', (split) => {
    const texts = makeMentions(split, 6);
    expect(texts.length).toBeGreaterThanOrEqual(makeHabits(split, 6).length);
    expect(texts.filter((one) => !isSameValue(callsIn(one), [])).map(({ id }) => id)).toEqual([]);
  });

  it('give the same calls regardless of the chunks in which they arrive', () => {
    for (const one of [...makeHabits('development', 2), ...makeMentions('development', 1)]) {
      const whole = extractToolCalls(one.text, optionsFor(one));
      const stream = createToolCallStream(optionsFor(one));
      const events = [];
      for (let at = 0; at < one.text.length; at += 5) events.push(...stream.push(one.text.slice(at, at + 5)));
      events.push(...stream.end());
      const calls = events.flatMap((event) => (event.type === 'call-ended' ? [event.call] : []));
      const rejected = events.flatMap((event) => (event.type === 'call-rejected' ? [event.rejected] : []));
      expect({ id: one.id, calls, rejected }).toEqual({ id: one.id, calls: whole.calls, rejected: whole.rejected });
    }
  });
});

describe('the name of a declared tool followed by arguments', () => {
  const { examples, probes } = readFixtures();
  const texts = [
    ...examples,
    ...probes,
    ...splits.flatMap((split) => [
      ...makeTexts(split, 1),
      ...makeCallless(split, 2),
      ...makeHabits(split, 2),
      ...makeMentions(split, 3),
    ]),
  ];

  it('never disappears without a report', () => {
    const lost = texts.filter((one) => lostNames(one).length > 0);
    expect(texts.length).toBeGreaterThan(1_000);
    expect(lost.map((one) => [one.id, lostNames(one)])).toEqual([]);
  });
});

/** Finds names before non-empty parentheses that are neither in a call nor in a report. */
function lostNames(one: TextCase): readonly string[] {
  const { calls, rejected } = extractToolCalls(one.text, optionsFor(one));
  const spans = [...calls, ...rejected];
  return one.tools.flatMap(({ name }) => {
    const pattern = new RegExp(`(?<![\\w.-])${name.replaceAll(/[.-]/g, '\\$&')}\\((?!\\s*\\))`, 'g');
    return [...one.text.matchAll(pattern)]
      .filter(({ index }) => !spans.some(({ start, end }) => start <= index && index < end))
      .map(({ index }) => one.text.slice(index, index + 40));
  });
}
