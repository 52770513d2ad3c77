import { describe, expect, it } from 'vitest';
import { applyFirst, replace, type Fix } from './fix.ts';
import { Machine, type ValueKind } from '../machine/machine.ts';
import { deliver, open } from '../machine/operations.ts';
import { strayCloser } from './fix-closers.ts';
import { bareKeyInList, unquotedKey } from './fix-keys.ts';
import * as punctuation from './fix-punctuation.ts';
import { listWithoutOpener, rowsWithoutList } from './lost-opener.ts';
import { otherQuotes, prefixedString } from './fix-strings.ts';
import { unquotedString } from './unquoted-string.ts';
import { commaForColon, missingValue, otherNumbers, otherWords } from './fix-values.ts';

/** Creates a machine inside one container, with the cursor at `|` in the text. */
function machineAt(marked: string, last: ValueKind): Machine {
  const at = marked.indexOf('|');
  const text = marked.slice(0, at) + marked.slice(at + 1);
  const machine = new Machine({ text, at: 0, ended: true, state: 'members' });
  if (text[0] === '{') open(machine, 'object', 0);
  else open(machine, 'array', 0);
  machine.at = at;
  machine.last = last;
  if (machine.frame?.kind === 'object') machine.frame.key = 'a';
  return machine;
}

type Row = readonly [fix: Fix, text: string, next: string, code: string, at: number, last?: ValueKind];

const rows: readonly Row[] = [
  [punctuation.extraComma, '{|, "a": 1}', 'beforeKey', 'extra-comma', 2],
  [punctuation.extraComma, '[1,|, 2]', 'beforeValue', 'extra-comma', 4],
  [punctuation.wrongComma, '{"a": 1|; "b": 2}', 'beforeKey', 'wrong-comma', 8],
  [punctuation.missingComma, '{"a": 1 |"b": 2}', 'beforeKey', 'missing-comma', 8],
  [punctuation.missingComma, '[1 |2]', 'beforeValue', 'missing-comma', 3],
  [punctuation.wrongColon, '{"a" |=> 1}', 'beforeValue', 'wrong-colon', 7],
  [punctuation.missingColon, '{"a" |1}', 'beforeValue', 'missing-colon', 5],
  [punctuation.missingColon, '{"a" |b}', 'beforeValue', 'missing-colon', 5],
  [punctuation.colonBeforeKey, '{|:"a": 1}', 'beforeKey', 'extra-colon', 2],
  [punctuation.doubledBrace, '{|{"a": 1}}', 'beforeKey', 'doubled-braces', 2],
  [punctuation.extraColon, '{"a":|: 1}', 'beforeValue', 'extra-colon', 6],
  [punctuation.strayQuote, '{"a": 1|", "b": 2}', 'afterValue', 'stray-quote', 8],
  [punctuation.strayQuote, '{"a": "x"|<|"|>, "b": 1}', 'afterValue', 'stray-quote', 14, 'string'],
  [punctuation.secondQuote, '["x"|", "y"]', 'afterValue', 'stray-quote', 5, 'string'],
  [punctuation.ellipsis, '[1, |...]', 'afterValue', 'ellipsis', 7],
  [punctuation.fullWidthOpener, '[|｛"a": 1}]', 'beforeKey', 'full-width', 2],
  [punctuation.fullWidthOpener, '[|［1]]', 'beforeValue', 'full-width', 2],
  [punctuation.tuple, '{"a": |(1, 2)}', 'beforeValue', 'tuple', 7],
  [strayCloser, '{"a": |] 1}', 'beforeValue', 'extra-closer', 7],
  [unquotedKey, '{|path: 1}', 'afterKey', 'unquoted-key', 5],
  [prefixedString, "[|u'a']", 'readString', 'string-prefix', 2],
  [unquotedString, '{"a": |some words, "b": 1}', 'afterValue', 'unquoted-string', 16],
  [commaForColon, '{"a"|, "x", "b": 1}', 'beforeValue', 'wrong-colon', 5],
  [missingValue, '{"a": |, "b": 1}', 'afterValue', 'missing-value', 6],
  [otherNumbers, '[|0x1F]', 'afterValue', 'other-radix', 5],
  [otherNumbers, '[|0. 85]', 'afterValue', 'digit-separators', 6],
  [otherWords, '[|None]', 'afterValue', 'other-word', 5],
];

const cases = rows.map(([fix, text, next, code, at, last = 'none']) => ({ fix, text, next, code, at, last }));

describe('a single fix', () => {
  it.each(cases)('matches at its position: $text', ({ fix, text, next, code, at, last }) => {
    const machine = machineAt(text, last);
    const state = applyFirst([fix], machine, machine.text.charCodeAt(machine.at));
    expect({ state, at: machine.at, codes: machine.repairs.map((repair) => repair.code) }).toEqual({
      state: next,
      at,
      codes: [code],
    });
  });

  it('turns the object before the next row into the first row of a list', () => {
    const machine = machineAt('{"a": {"n": 1}, |{"n": 2}}', 'container');
    Object.assign(machine.frame!, { members: Object.assign(machine.frame!.members, { a: { n: 1 } }), comma: 14 });
    machine.lastStart = 6;
    expect(applyFirst([rowsWithoutList], machine, 0x7b)).toBe('beforeValue');
    expect(machine.root).toEqual({ a: [{ n: 1 }] });
    expect(machine.repairs.map(({ code, start }) => [code, start])).toEqual([['missing-opener', 6]]);
  });

  it('puts a value on a separate line into a list that only closes', () => {
    const machine = machineAt('{\n  "a":\n    5\n  |],\n  "b": 1\n}', 'number');
    machine.lastStart = 13;
    deliver(machine, 5, 13);
    expect(applyFirst([listWithoutOpener], machine, 0x5d)).toBe('afterValue');
    expect(machine.root).toEqual({ a: [5] });
  });

  it('is ignored if it reads nothing and names the step that is already running', () => {
    const machine = machineAt('[|x]', 'none');
    machine.state = 'beforeValue';
    const idle = replace('idle', 'safe', '', 'beforeValue', () => 0);
    expect(applyFirst([idle], machine, 0x78)).toBeUndefined();
    expect(machine.repairs).toEqual([]);
  });

  it('changes nothing if it does not match', () => {
    for (const fix of [
      ...cases.map((one) => one.fix),
      otherQuotes,
      bareKeyInList,
      rowsWithoutList,
      listWithoutOpener,
    ]) {
      const machine = machineAt('{"a": 1|}', 'number');
      if (machine.frame !== undefined) machine.frame.key = undefined;
      expect(applyFirst([fix], machine, 0x7d)).toBeUndefined();
      expect([machine.at, machine.repairs, machine.frames.length]).toEqual([7, [], 1]);
    }
  });
});
