import { extractToolCalls } from '@haft/repair';
import type { Extraction, RepairResult } from '@haft/repair';
import { afterEach, describe, expect, it } from 'vitest';

import { breaksCallStream } from './call-stream-law.ts';
import { breaksCalls, breaksSpans } from './calls-laws.ts';
import { breaksForm } from './json-laws.ts';
import { addedToPrototypes, whyNotPlain } from './plain-data.ts';
import { breaksStream } from './stream-laws.ts';

describe('plain data', () => {
  it('contains only values that JSON can represent', () => {
    const own = JSON.parse('{"__proto__": {"a": [1, "b", null, true]}, "c": {}}') as unknown;
    expect(whyNotPlain(own)).toBe(undefined);
    expect(whyNotPlain({ a: undefined })).toBe('a undefined');
    expect(whyNotPlain([Number.NaN])).toBe('a number that JSON cannot represent');
    expect(whyNotPlain(Object.create({ a: 1 }))).toBe('an object with another prototype');
    expect(
      whyNotPlain({
        get a() {
          return 1;
        },
      }),
    ).toBe('a member that no JSON spells');
    expect(whyNotPlain(Object.defineProperty({}, 'a', { value: 1 }))).toBe('a hidden member a');
    // eslint-disable-next-line no-sparse-arrays
    expect(whyNotPlain([1, , 2])).toBe('a list with holes or members');
  });
});

describe('prototypes', () => {
  const shared: object = Object.prototype;
  afterEach(() => void Reflect.deleteProperty(shared, 'added'));

  it('are checked for changes', () => {
    expect(addedToPrototypes(true)).toBe('');
    expect(addedToPrototypes(false)).toBe('');
    Reflect.defineProperty(shared, 'added', { value: 1, configurable: true, writable: true });
    expect(addedToPrototypes(true)).not.toBe('');
    expect(addedToPrototypes(false)).toBe('');
    Reflect.defineProperty(shared, 'added', { value: 1, configurable: true, enumerable: true });
    expect(addedToPrototypes(false)).not.toBe('');
  });
});

describe('the laws of a repaired document', () => {
  const good = { ok: true, value: { a: [[1]] }, risk: 'safe', complete: true, repairs: [] } as const;
  const repair = { code: 'x', start: 0, end: 1, found: 'a', assumed: '', risk: 'safe' } as const;
  const law = (result: RepairResult, limits = {}): string | undefined => breaksForm('abc', result, { limits })?.law;

  it('hold for a correct result', () => {
    expect(law({ ...good, repairs: [repair] })).toBe(undefined);
  });

  const broken: readonly { readonly law: string; readonly result: RepairResult; readonly limits?: object }[] = [
    { law: 'a result is what its type says', result: { ...good, risk: 'truncated' } },
    { law: 'a result is what its type says', result: { ...good, risk: 'none', repairs: [repair] } },
    { law: 'a result is what its type says', result: { ...good, repairs: [{ ...repair, risk: 'lossy' }] } },
    { law: 'a result is what its type says', result: { ...good, repairs: [{ ...repair, found: 'a'.repeat(61) }] } },
    {
      law: 'a result is what its type says',
      result: { ok: false, code: 'INVALID_JSON', message: '', hint: '', position: 0 },
    },
    { law: 'spans stand within the text', result: { ...good, repairs: [{ ...repair, end: 4 }] } },
    { law: 'limits are honoured', result: good, limits: { depth: 2 } },
    { law: 'limits are honoured', result: good, limits: { size: 2 } },
  ];

  it.each(broken)('are reported as broken: $law', ({ law: name, result, limits }) => {
    expect(law(result, limits)).toBe(name);
  });

  it('are reported as broken by a stream whose end differs from the whole', () => {
    const streamed = { text: '{"a": 1', salt: 3, options: {}, whole: good, document: undefined };
    expect(breaksStream(streamed)?.law).toBe('a stream ends as the whole text does');
    expect(breaksStream({ ...streamed, text: '{"a": [2, 3]}', document: { a: [1] } })?.law).toBe(
      'a stream shows nothing that is not there',
    );
  });
});

describe('the laws of calls', () => {
  const call = {
    name: 'ping',
    arguments: {},
    envelope: 'hermes',
    start: 1,
    end: 3,
    risk: 'none',
    complete: true,
    repairs: [],
  } as const;
  const of = (extraction: Partial<Extraction>): Extraction => ({
    calls: [call],
    text: 'ad',
    rejected: [],
    ...extraction,
  });

  it('hold for a correct result', () => {
    expect(breaksSpans('abcd', of({}))).toBe(undefined);
    expect(breaksCalls('{}', of({}), 'length', {})).toBe(undefined);
  });

  it('are reported as broken by a wrong result', () => {
    expect(breaksSpans('abcd', of({ text: 'a' }))?.law).toBe('the text is what was not read');
    expect(breaksSpans('ab', of({}))?.law).toMatch(/^spans/);
    expect(
      breaksSpans('abcd', of({ rejected: [{ reason: 'incomplete', start: 2, end: 4, hint: 'Send it again.' }] }))?.law,
    ).toBe('what is rejected stays in the text');
    const lawOf = (change: object): string | undefined =>
      breaksCalls('{}', of({ calls: [{ ...call, ...change }] }), 'length', {})?.law;
    expect(lawOf({ name: 'constructor' })).toBe('only declared tools are called');
    expect(lawOf({ risk: 'truncated' })).toBe('no call was cut');
    expect(lawOf({ complete: false })).toMatch(/^only who stopped/);
    expect(lawOf({ arguments: Object.create({ a: 1 }) as object })).toBe('arguments are a plain JSON object');
  });
});

describe('the law of a message in chunks', () => {
  const options = { tools: [{ name: 'ping' }] };
  const text =
    'A <tool_call>{"name": "ping", "arguments": {"n": 1}}</tool_call> B <tool_call>{"name": "pong"}</tool_call>';
  const whole = extractToolCalls(text, options);

  it('holds for a correct result with any chunks', () => {
    for (let salt = 0; salt < 20; salt += 1) expect(breaksCallStream(text, salt, options, whole)).toBe(undefined);
  });

  it.each<[string, Partial<Extraction>]>([
    ['a call is lacking', { calls: [] }],
    ['a text differs', { text: 'A' }],
    ['something was not rejected', { rejected: [] }],
  ])('is broken where %s', (_, other) => {
    expect(breaksCallStream(text, 3, options, { ...whole, ...other })?.law).toMatch(/^a message in pieces/);
  });
});
