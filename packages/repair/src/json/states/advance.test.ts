import { expect, it } from 'vitest';
import corpus from '../../fixtures/repairs.json' with { type: 'json' };
import { Machine } from '../machine/machine.ts';
import { advance } from './advance.ts';

const begin = (text: string): Machine => new Machine({ text, at: 0, ended: true, state: 'beforeValue' });

it('takes hardly more than one step a character', () => {
  const texts = [...corpus.map(({ text }) => text), `[${','.repeat(10_000)}]`, '[{"": "", '.repeat(300)];
  for (const text of texts) {
    let steps = 0;
    advance(begin(text), () => (steps += 1));
    expect({ text, steps, isMany: steps > text.length + 20 }).toMatchObject({ text, isMany: false });
  }
});

it('fails if it goes in circles', () => {
  const machine = begin('{"a": 1}');
  advance(machine, () => {
    machine.at = 0;
    machine.state = 'beforeValue';
  });
  expect(machine.failure).toMatchObject({
    code: 'INVALID_JSON',
    message: 'The reader made no progress, which is a bug in Haft,',
    position: 0,
  });
});
