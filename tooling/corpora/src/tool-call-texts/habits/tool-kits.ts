import type { JsonObject, JsonSchema, JsonValue } from '@haft/repair';

import { pickOfRow } from '../../random.ts';
import type { Random } from '../../random.ts';
import type { Call, OfferedTool } from '../calls/call.ts';
import { makePlainCall, toolsOfOutputs } from '../outputs/plain-tools.ts';

/** The tools that messages may call, and their calls. */
export interface ToolKit {
  readonly tools: readonly OfferedTool[];
  readonly make: (random: Random) => Call;
}

/** The tools of all other corpora. */
export const plainKit: ToolKit = { tools: toolsOfOutputs, make: makePlainCall };

interface ForeignTool {
  readonly name: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly make: (random: Random) => JsonObject;
}

const text = { type: 'string' } as const;
const of = (random: Random, items: readonly JsonValue[]): JsonValue => pickOfRow(random, items);

const stations = ['Гомель', 'Θεσσαλονίκη', '仙台', 'Gävle', 'الأقصر', 'İzmir', 'वाराणसी', 'Łódź Fabryczna'];
const words = ['Wanderlust', 'おもてなし', 'тоска', 'saudade', 'ya’aburnee', 'hygge', 'gönül', 'φιλότιμο'];
const hours = ['06:45', '7 Uhr 30', '午後3時', '18h', '23:59', 'завтра в 8'];
const dishes = ['Borschtsch', 'ラーメン', 'moqueca', 'crème brûlée', 'köfte', 'पोहा'];
const remarks = [
  'don’t ring',
  'zwei Stück: "groß" & klein',
  '取扱注意！',
  'a; b, c',
  'C:\\Temp\\новый',
  'line 1\nline 2',
];

const foreignTools: readonly ForeignTool[] = [
  {
    name: 'reserve_seat',
    properties: { station: text, seat: { type: 'integer' }, class: { type: 'string', enum: ['first', 'second'] } },
    required: ['station', 'seat'],
    make: (random) => ({
      station: of(random, stations),
      seat: random.whole(1, 120),
      ...(random.chance(0.5) ? { class: random.pick(['first', 'second']) } : {}),
    }),
  },
  {
    name: 'lexicon.define',
    properties: { word: text, language: text },
    required: ['word'],
    make: (random) => ({ word: of(random, words), ...(random.chance(0.5) ? { language: 'pt-BR' } : {}) }),
  },
  {
    name: 'ship-parcel',
    properties: { to: text, weight_kg: { type: 'number' }, fragile: { type: 'boolean' }, remark: text },
    required: ['to', 'weight_kg'],
    make: (random) => ({
      to: of(random, stations),
      weight_kg: random.whole(1, 300) / 8,
      ...(random.chance(0.5) ? { fragile: random.chance(0.5), remark: of(random, remarks) } : {}),
    }),
  },
  {
    name: 'setAlarm',
    properties: { time: text, days: { type: 'array', items: text }, options: { type: 'object' } },
    required: ['time'],
    make: (random) => ({
      time: of(random, hours),
      ...(random.chance(0.5) ? { days: ['Mo', 'Do'] } : {}),
      ...(random.chance(0.3) ? { options: { snooze: random.whole(1, 9), sound: of(random, words) } } : {}),
    }),
  },
  {
    name: 'scale_recipe',
    properties: { dish: text, portions: { type: 'integer' } },
    required: ['dish', 'portions'],
    make: (random) => ({ dish: of(random, dishes), portions: random.whole(1, 40) }),
  },
];

/** Tools, values and languages that no other corpus has, so that the rules were written without them. */
export const foreignKit: ToolKit = {
  tools: foreignTools.map(({ name, properties, required }) => ({
    name,
    description: name,
    parameters: { type: 'object', properties, required: [...required] },
  })),
  make: (random) => {
    const { name, make } = random.pick(foreignTools);
    return { name, arguments: make(random) };
  },
};
