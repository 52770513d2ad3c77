import type { Material } from '../material/material.ts';
import type { Random } from '../random.ts';
import type { ObjectPart, Part } from './part.ts';

/** Arguments that a lenient reader could misinterpret. */
export interface Trap {
  readonly tool: ObjectPart;
  readonly value: Readonly<Record<string, unknown>>;
  /** The acceptable values besides a refusal; empty if only a refusal is right. */
  readonly meant: readonly unknown[];
}

type MakeTrap = (random: Random, material: Material) => Trap;

const toolOf = (name: string, part: Part, isClosed = true): ObjectPart => ({
  kind: 'object',
  members: { path: { part: { kind: 'text' }, isRequired: true }, [name]: { part, isRequired: true } },
  isClosed,
});

/** A trap in one argument. */
function inOne(name: string, part: Part, given: unknown, ...meant: readonly unknown[]): MakeTrap {
  return (_, material) => {
    const path = material.make('path');
    return {
      tool: toolOf(name, part),
      value: { path, [name]: given },
      meant: meant.map((value) => ({ path, [name]: value })),
    };
  };
}

const pickOne =
  (...makers: readonly MakeTrap[]): MakeTrap =>
  (random, material) =>
    random.pick(makers)(random, material);

const integer: Part = { kind: 'integer' };
const number: Part = { kind: 'number' };
const flag: Part = { kind: 'flag' };
const texts: Part = { kind: 'list', items: { kind: 'text' } };
const countries: Part = { kind: 'choice', values: ['US', 'us', 'De', 'de', 'fr'] };

/** Traps in which leniency changes the meaning. */
export const traps: Readonly<Record<string, MakeTrap>> = {
  'a fraction where an integer is wanted': pickOne(
    inOne('limit', integer, 10.5),
    inOne('limit', integer, '10.5'),
    inOne('limit', integer, '0.9'),
    inOne('limit', integer, -0.5),
  ),
  'null where something is wanted': pickOne(
    inOne('limit', integer, null),
    inOne('ratio', number, null),
    inOne('force', flag, null),
    inOne('title', { kind: 'text' }, null),
    inOne('tags', texts, null),
    inOne('options', { kind: 'object', members: {}, isClosed: false }, null),
  ),
  'an integer that a double would round': pickOne(
    inOne('id', integer, '9007199254740993'),
    inOne('id', integer, '12345678901234567890'),
    inOne('ratio', number, '0.12345678901234567890123'),
    inOne('ratio', number, '1e999'),
  ),
  'text that is no number': pickOne(
    inOne('limit', integer, ''),
    inOne('limit', integer, ' '),
    inOne('limit', integer, 'ten'),
    inOne('limit', integer, '12 items'),
    inOne('limit', integer, '0x10'),
    inOne('ratio', number, 'Infinity'),
    inOne('ratio', number, 'NaN'),
  ),
  'text that is no truth': pickOne(
    inOne('force', flag, ''),
    inOne('force', flag, 'maybe'),
    inOne('force', flag, 'null'),
    inOne('force', flag, 'no, thanks'),
  ),
  'a number for a truth, a truth for a number': pickOne(
    inOne('limit', integer, true),
    inOne('ratio', number, false),
    inOne('force', flag, 2),
    inOne('force', flag, 0.5),
  ),
  'text that looks like something else, where text is taken': pickOne(
    inOne('value', { kind: 'textOrFlag' }, 'true', 'true'),
    inOne('value', { kind: 'textOrInteger' }, '007', '007'),
    inOne('value', { kind: 'textOrInteger' }, '12', '12'),
    inOne('value', { kind: 'textOrObject' }, '{"a":1}', '{"a":1}'),
    inOne('title', { kind: 'text' }, '[1,2]', '[1,2]'),
    inOne('title', { kind: 'text' }, 'null', 'null'),
    inOne('tags', texts, ['1', 'true', 'null'], ['1', 'true', 'null']),
  ),
  'several values in one text': pickOne(
    inOne('tags', texts, 'red, green', ['red', 'green']),
    inOne('tags', texts, 'red\ngreen', ['red', 'green']),
    inOne('tags', texts, 'red;green', ['red', 'green']),
    inOne('ports', { kind: 'list', items: integer }, '80,443', [80, 443]),
  ),
  'a list where one value is wanted': pickOne(
    inOne('title', { kind: 'text' }, ['a', 'b']),
    inOne('limit', integer, [1, 2]),
    inOne('limit', integer, []),
    inOne('force', flag, []),
  ),
  'a value of an enum that could be two': pickOne(
    inOne('country', countries, 'Us'),
    inOne('country', countries, 'uS'),
    inOne('country', countries, 'DE'),
    inOne('country', countries, ''),
  ),
  'a key that a closed object refuses': (random, material) => {
    const path = material.make('path');
    const [key, value] = random.pick([
      ['dry_run', true],
      ['only_if_unchanged', true],
      ['exclude', ['*.md']],
    ] as const);
    return { tool: toolOf('force', flag), value: { path, force: true, [key]: value }, meant: [] };
  },
  'two spellings of one key': (random, material) => {
    const path = material.make('path');
    const isClosed = random.chance(0.5);
    const value = { path, maxResults: 5, max_results: 7 };
    return { tool: toolOf('maxResults', integer, isClosed), value, meant: [value, { path, maxResults: 5 }] };
  },
  'a key that could be two': (_, material) => {
    const path = material.make('path');
    const members = {
      path: { part: { kind: 'text' }, isRequired: true },
      userId: { part: integer, isRequired: false },
      user_id: { part: integer, isRequired: false },
    } as const;
    const value = { path, 'user-id': 7 };
    return { tool: { kind: 'object', members, isClosed: false }, value, meant: [value, { path }] };
  },
};
