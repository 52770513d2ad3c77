import { createToolCallStream, extractToolCalls } from '@haft/repair';
import { describe, expect, it } from 'vitest';

import { isSameValue } from '../../same-value.ts';
import type { TextCase } from '../calls/text-case.ts';
import { makeHabits, makeMentions, makeUnread } from './make-habits.ts';
import { foreignKit, plainKit } from './tool-kits.ts';

// The held-out half and the tools of other languages are only counted. Their texts were not inspected while the rules
// were written.
const kits = [
  ['development', plainKit],
  ['held-out', plainKit],
  ['held-out', foreignKit],
] as const;

const optionsFor = ({ tools, stopped }: TextCase) => ({ tools, ...(stopped === undefined ? {} : { stopped }) });

const callsIn = (one: TextCase): unknown =>
  extractToolCalls(one.text, optionsFor(one)).calls.map(({ name, arguments: value }) => ({ name, arguments: value }));

describe('messages in the habits of models', () => {
  it.each(kits)('contain exactly the intended calls: %s', (split, kit) => {
    const texts = makeHabits(split, 6, kit);
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter((one) => !isSameValue(callsIn(one), one.expected)).map(({ id }) => id)).toEqual([]);
  });

  it.each(kits)('that only mention calls contain no call: %s', (split, kit) => {
    const texts = makeMentions(split, 6, kit);
    expect(texts.length).toBeGreaterThanOrEqual(makeHabits(split, 6, kit).length);
    expect(texts.filter((one) => !isSameValue(callsIn(one), [])).map(({ id }) => id)).toEqual([]);
  });

  it.each(kits)('that cannot be run are reported under their names, with a hint: %s', (split, kit) => {
    const texts = makeUnread(split, 3, kit);
    expect(texts.length).toBeGreaterThan(100);
    for (const one of texts) {
      const { calls, rejected } = extractToolCalls(one.text, optionsFor(one));
      expect({ id: one.id, calls }).toEqual({ id: one.id, calls: [] });
      const report = rejected.find(({ name }) => name === one.named);
      expect({ id: one.id, hint: report?.hint }).toEqual({ id: one.id, hint: expect.stringMatching(/^[A-Z].*\.$/s) });
      expect(one.text.slice(report?.start, report?.end)).toContain(one.named);
    }
  });

  it('give the same calls regardless of the chunks in which they arrive', () => {
    for (const one of [
      ...makeHabits('development', 2),
      ...makeMentions('development', 1),
      ...makeUnread('development', 1),
    ]) {
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
