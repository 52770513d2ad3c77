import type { JsonObject, JsonSchema, JsonValue } from '@haft/repair';

import { pickOfRow } from '../../random.ts';
import type { Random } from '../../random.ts';
import { makeCall, offeredTools } from '../calls/call.ts';
import type { Call, OfferedTool } from '../calls/call.ts';

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const decimal = { type: 'number' } as const;
const flag = { type: 'boolean' } as const;

interface PlainTool extends OfferedTool {
  readonly make: (random: Random) => JsonObject;
}

const tool = (
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  make: PlainTool['make'],
): PlainTool => ({
  name,
  description: name,
  parameters: { type: 'object', properties, required: [...required] },
  make,
});

const places = ['Oslo', 'New York', 'São Paulo', 'Paris, France', 'San José (CR)', 'Xi’an', "L'Aquila", 'München'];
const people = ["Siobhán O'Brien", 'J. R. Smith', 'Ana', 'Dr. Lee, PhD', '李雷', 'Bob "Bobby" Tables'];
const titles = ['Blue in Green', "Don't Stop Me Now", 'Suite: Judy Blue Eyes', '99 Luftballons', 'Song 2 (live)'];
const formulas = ['x**2 + 3*x - 1', '(a + b) / 2', 'sin(x) = 0.5', '3 > 2 and 1 < 4', 'lambda x: x + 1', 'f(x)'];
const queries = [
  "SELECT name FROM users WHERE city = 'Oslo' AND age > 30;",
  'SELECT COUNT(*) FROM "order items"',
  'best pizza near me, open now',
  'error: [Errno 2] No such file',
  'how do I call f(a=1)?',
  'C++ "move semantics" site:example.com',
];
const dates = ['2026-03-01', '12/31/2025', 'next Friday', '3:30 PM', '2026-01-05T09:00:00Z'];
const notes = [
  'no onions',
  'window seat',
  'call me: 555-0100',
  'gluten-free, vegan',
  'a "quiet" corner',
  "it's urgent",
];

const of = (random: Random, items: readonly string[]): string => pickOfRow(random, items);
const some = (random: Random, items: readonly string[]): JsonValue[] =>
  Array.from({ length: random.whole(1, 3) }, () => of(random, items));
const maybe = (random: Random, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(() => random.chance(0.6)));

/** Tools of programs other than editors: short arguments, many of them numbers, some names with dots. */
const plainTools: readonly PlainTool[] = [
  tool(
    'get_weather',
    { city: text, unit: { ...text, enum: ['celsius', 'fahrenheit'] }, days: whole },
    ['city'],
    (random) => ({
      city: of(random, places),
      ...maybe(random, { unit: random.pick(['celsius', 'fahrenheit']), days: random.whole(1, 14) }),
    }),
  ),
  tool('calculate_triangle_area', { base: whole, height: decimal, unit: text }, ['base', 'height'], (random) => ({
    base: random.whole(-5, 500),
    height: random.whole(1, 900) / 10,
    ...maybe(random, { unit: 'cm' }),
  })),
  tool('math.gcd', { num1: whole, num2: whole }, ['num1', 'num2'], (random) => ({
    num1: random.whole(1, 999),
    num2: random.whole(1, 999),
  })),
  tool(
    'flights.search',
    {
      origin: text,
      destination: text,
      date: text,
      passengers: whole,
      direct: flag,
      max_price: { type: ['number', 'null'] },
    },
    ['origin', 'destination', 'date'],
    (random) => ({
      origin: of(random, places),
      destination: of(random, places),
      date: of(random, dates),
      ...maybe(random, {
        passengers: random.whole(1, 6),
        direct: random.chance(0.5),
        max_price: random.pick([null, 199.99]),
      }),
    }),
  ),
  tool(
    'bookTable',
    { restaurant: text, guests: whole, time: text, wishes: { type: 'array', items: text } },
    ['restaurant', 'guests'],
    (random) => ({
      restaurant: of(random, titles),
      guests: random.whole(1, 12),
      ...maybe(random, { time: of(random, dates), wishes: some(random, notes) }),
    }),
  ),
  tool(
    'database.query',
    { table: text, conditions: { type: 'object' }, columns: { type: 'array', items: text }, limit: whole },
    ['table'],
    (random) => ({
      table: random.pick(['users', 'order items', 'logs_2026']),
      conditions: {
        city: of(random, places),
        age: { min: random.whole(18, 30), max: random.whole(31, 90) },
        active: random.chance(0.5),
        manager: random.pick([null, of(random, people)]),
      },
      ...maybe(random, { columns: ['id', 'full name', 'e-mail'], limit: random.whole(1, 100) }),
    }),
  ),
  tool('solve_equation', { equation: text, variables: { type: 'array', items: text } }, ['equation'], (random) => ({
    equation: of(random, formulas),
    ...maybe(random, { variables: ['x', 'y'] }),
  })),
  tool('web_search', { query: text, top_k: whole }, ['query'], (random) => ({
    query: of(random, queries),
    ...maybe(random, { top_k: random.whole(1, 20) }),
  })),
  tool('play-song', { title: text, artist: text, volume: decimal, shuffle: flag }, ['title'], (random) => ({
    title: of(random, titles),
    ...maybe(random, { artist: of(random, people), volume: random.whole(0, 10) / 10, shuffle: random.chance(0.5) }),
  })),
  tool(
    'create_event',
    {
      title: text,
      start: text,
      attendees: { type: 'array', items: { type: 'object' } },
      reminder: { type: 'object' },
    },
    ['title', 'start'],
    (random) => ({
      title: of(random, titles),
      start: of(random, dates),
      ...maybe(random, {
        attendees: Array.from({ length: random.whole(1, 3) }, () => ({
          name: of(random, people),
          required: random.chance(0.5),
        })),
        reminder: { minutes: random.whole(5, 60), channels: ['mail', 'push'] },
      }),
    }),
  ),
];

/** Every tool that the texts may call. */
export const toolsOfOutputs: readonly OfferedTool[] = [
  ...plainTools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  ...offeredTools,
];

/** Creates a call; in three of four cases of a plain tool. */
export function makePlainCall(random: Random): Call {
  if (random.chance(0.25)) return makeCall(random);
  const { name, make } = random.pick(plainTools);
  return { name, arguments: make(random) };
}
