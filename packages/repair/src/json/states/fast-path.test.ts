import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import corpus from '../../fixtures/repairs.json' with { type: 'json' };
import { advance } from './advance.ts';
import { Machine } from '../machine/machine.ts';
import type { RepairOptions } from '../result/repair-options.ts';
import { createShape } from '../result/declared-shape.ts';

const runs = process.env['HAFT_TEST_LONG'] === undefined ? 1_000 : 30_000;

const schema = {
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'number' } } } },
  additionalProperties: false,
};

function readFrom(text: string, at: number, options: RepairOptions, mayUseFastPath: boolean): unknown {
  const machine = new Machine({
    text,
    at,
    ended: true,
    mayUseFastPath,
    state: 'beforeValue',
    stopped: options.stopped,
    limits: options.limits,
    shape: createShape(options.schema),
  });
  advance(machine);
  const { root, rootEnd, repairs, risk, ending, unclosed, cutKey, failure, hasAmbiguousEnd } = machine;
  return { root, rootEnd, repairs, risk, ending, unclosed, cutKey, failure, hasAmbiguousEnd };
}

function expectTheSame(text: string, options: RepairOptions): void {
  const at = Math.max(0, text.search(/[[{]/));
  expect({ text, ...Object(readFrom(text, at, options, true)) }).toEqual({
    text,
    ...Object(readFrom(text, at, options, false)),
  });
}

const token = fc.constantFrom(
  ...'"a": ~"b":~c: ~"x"~\'y\'~1~-2.50~1e3~007~12345678901234567890~true~null~None~True~{~}~[~]~, ~,~,\n  '.split('~'),
  ...'""~\'\'~"~\'~"q "r" s"~"\\n"~"it\'s"~\'say "hi"\'~#~:=~ '.split('~'),
);
const options = fc.constantFrom<RepairOptions>(
  {},
  { stopped: 'stop' },
  { schema },
  { limits: { depth: 3, repairs: 2 } },
  { limits: { duplicateKeys: 'report', unsafeIntegers: 'report' } },
  { limits: { duplicateKeys: 'refuse', unsafeIntegers: 'refuse' } },
);

describe('the fast path', () => {
  it.each(corpus.map(({ text }) => text))('has the same result as the state machine: %s', (text) => {
    expectTheSame(text, {});
    expectTheSame(text, { schema });
  });

  it('has the same result as the state machine for any sequence of tokens', () => {
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 25 }), options, (tokens, given) => {
        expectTheSame(`{${tokens.join('')}`, given);
        expectTheSame(`[${tokens.join('')}`, given);
      }),
      { numRuns: runs },
    );
  });

  it('has the same result as the state machine if one character of valid JSON is missing', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), options, (json, place, given) => {
        const at = place % json.length;
        expectTheSame(`[${json.slice(0, at)}${json.slice(at + 1)}]`, given);
      }),
      { numRuns: runs },
    );
  });
});
