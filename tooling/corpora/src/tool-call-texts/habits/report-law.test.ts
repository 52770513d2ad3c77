import { extractToolCalls } from '@haft/repair';
import { describe, expect, it } from 'vitest';

import type { TextCase } from '../calls/text-case.ts';
import { readFixtures } from '../fixtures-of-package.ts';
import { makeCallless } from '../make-callless.ts';
import { makeTexts } from '../make-texts.ts';
import { makeOutputs } from '../outputs/make-outputs.ts';
import { makeHabits, makeMentions, makeUnread } from './make-habits.ts';
import { foreignKit } from './tool-kits.ts';

/** Ways to write arguments after the name of a tool. `NAME` is the placeholder of the name. */
const argumentForms: Readonly<Record<string, string>> = {
  'a parenthesis': String.raw`(?<![\w.-])NAME\((?!\s*\))`,
  'an object': String.raw`(?<![\w.-])NAME["'\`]?\s{0,3}(?:=|:|->)?\s{0,3}\{\s*"\w`,
  'a key with arguments beside it': String.raw`"(?:name|tool|function|action)":\s*"NAME",\s*"(?:arguments|args|parameters|input)":`,
  'labelled lines': String.raw`^(?:tool|function|action|name): NAME\n+(?:arguments|args|parameters|params|input|action input):`,
  'lines under the name': String.raw`^NAME:\n +KEY:`,
  options: String.raw`^(?:\$ )?NAME --?[a-z]\w* \S`,
  assignments: String.raw`^NAME KEY=\S`,
  brackets: String.raw`^(?:Action: )?NAME\[(?!\d*\])[^\]\n]`,
  'a tag of an argument': String.raw`<NAME>\s*<KEY>`,
  'an attribute': String.raw`<\w+ (?:name|tool|function)="NAME"\s+[\w-]+=`,
};

const splits = ['development', 'held-out'] as const;
const { examples, probes } = readFixtures();
const texts: readonly TextCase[] = [
  ...examples,
  ...probes,
  ...splits.flatMap((split) => [
    ...makeTexts(split, 1),
    ...makeCallless(split, 2),
    ...makeOutputs(split, 1),
    ...makeHabits(split, 3),
    ...makeMentions(split, 3),
    ...makeUnread(split, 1),
  ]),
  ...makeHabits('held-out', 2, foreignKit),
  ...makeMentions('held-out', 2, foreignKit),
  ...makeUnread('held-out', 1, foreignKit),
];

describe('the name of a declared tool followed by arguments', () => {
  const found = texts.flatMap((one) => occurrencesIn(one).map((occurrence) => ({ one, ...occurrence })));

  it.each(Object.keys(argumentForms))('never disappears without a report: %s', (form) => {
    const own = found.filter((occurrence) => occurrence.form === form);
    expect(own.length).toBeGreaterThan(4);
    expect(own.filter(({ isLost }) => isLost).map(({ one, text }) => [one.id, text])).toEqual([]);
  });

  it('is checked in all corpora', () => {
    expect(texts.length).toBeGreaterThan(1_400);
    expect(found.length).toBeGreaterThan(1_000);
  });
});

interface Occurrence {
  readonly form: string;
  readonly text: string;
  /** Returns whether the mention is neither in a call nor in a report. */
  readonly isLost: boolean;
}

function occurrencesIn(one: TextCase): readonly Occurrence[] {
  const stopped = one.stopped === undefined ? {} : { stopped: one.stopped };
  const { calls, rejected } = extractToolCalls(one.text, { tools: one.tools, ...stopped });
  const spans = [...calls, ...rejected];
  const isInSpan = (from: number, to: number): boolean => spans.some(({ start, end }) => start < to && from < end);
  return one.tools.flatMap(({ name, parameters }) => {
    if (!one.text.includes(name)) return [];
    const keys = Object.keys((parameters as { readonly properties?: object }).properties ?? {});
    return Object.entries(argumentForms).flatMap(([form, source]) => {
      const pattern = source.replaceAll('NAME', escape(name)).replaceAll('KEY', `(?:${keys.map(escape).join('|')})`);
      return [...one.text.matchAll(new RegExp(pattern, 'gim'))]
        .filter(([whole]) => whole.includes(name))
        .map(({ 0: whole, index }) => ({
          form,
          text: one.text.slice(index, index + 60),
          isLost: !isInSpan(index, index + whole.length),
        }));
    });
  });
}

function escape(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}
