import { repairJson } from '@haft/repair';
import type { JsonSchema, RepairOptions } from '@haft/repair';
import { readWithJsonrepair } from '@haft/repair/jsonrepair';

import { versionOf } from '../version-of.ts';
import { importPackage } from '../import-package.ts';

/** The outcome of a reader for a text. */
export interface Reading {
  readonly value: unknown;
  /** Whether the reader itself reports that it guessed, dropped text or found the text cut. Only some readers do. */
  readonly marked?: boolean;
}

/** Reads a text. Throwing or returning undefined counts as a refusal. */
export type Read = (text: string, schema?: JsonSchema) => Reading | undefined | Promise<Reading | undefined>;

/** A reader of damaged JSON. */
export interface Reader {
  readonly name: string;
  /** Whether it takes a schema. */
  readonly takesSchema?: true;
  load(): Promise<Read>;
}

const parseOf = (name: string) => async (): Promise<Read> => {
  const exported = await importPackage<{ readonly parse?: unknown; readonly default?: unknown }>(name);
  const inner = exported.parse ?? exported.default;
  const found = typeof inner === 'function' ? inner : (inner as { readonly parse: unknown }).parse;
  const parse = found as (text: string) => unknown;
  return (text) => ({ value: parse(text) });
};

const readWithHaft = (root: 'object' | 'any', useSchema: boolean, added: RepairOptions = {}): Read => {
  const plain: RepairOptions = { root, ...added };
  return (text, schema) => {
    const result = repairJson(text, useSchema && schema !== undefined ? { ...plain, schema } : plain);
    if (!result.ok) return undefined;
    return { value: result.value, marked: result.risk === 'lossy' || result.risk === 'truncated' };
  };
};

export const haft: Reader = { name: 'Haft', load: async () => readWithHaft('object', false) };
export const haftWithSchema: Reader = {
  name: 'Haft with the schema',
  takesSchema: true,
  load: async () => readWithHaft('object', true),
};
/** Called without the information that an object is expected, which callers with arguments always have. */
export const haftWithoutOptions: Reader = {
  name: 'Haft without any option',
  load: async () => readWithHaft('any', false),
};
/** Called with jsonrepair as the fallback for texts that it cannot read. */
export const haftWithFallback: Reader = {
  name: 'Haft with jsonrepair as its fallback',
  load: async () => readWithHaft('object', false, { fallback: readWithJsonrepair }),
};

/** Every library alone, called as its own documentation shows, with its defaults. */
export const peers: readonly Reader[] = [
  {
    name: `jsonrepair ${versionOf('jsonrepair')}`,
    async load() {
      const { jsonrepair } = await import('jsonrepair');
      return (text) => ({ value: JSON.parse(jsonrepair(text)) as unknown });
    },
  },
  { name: `partial-json ${versionOf('partial-json')}`, load: parseOf('partial-json') },
  {
    name: `best-effort-json-parser ${versionOf('best-effort-json-parser')}`,
    async load() {
      const parser = await importPackage<{ disableErrorLogging(): void }>('best-effort-json-parser');
      // Its console output is suppressed. It does not change the value.
      parser.disableErrorLogging();
      return parseOf('best-effort-json-parser')();
    },
  },
  {
    name: `jsonic ${versionOf('jsonic')}`,
    async load() {
      const { Jsonic } = await importPackage<{ readonly Jsonic: (text: string) => unknown }>('jsonic');
      return (text) => ({ value: Jsonic(text) });
    },
  },
  { name: `dirty-json ${versionOf('dirty-json')}`, load: parseOf('dirty-json') },
  { name: `jaison ${versionOf('jaison')}`, load: parseOf('jaison') },
  { name: `json5 ${versionOf('json5')}`, load: parseOf('json5') },
  {
    name: `AI SDK parsePartialJson ${versionOf('ai')}`,
    async load() {
      const { parsePartialJson } = await import('ai');
      return async (text) => {
        const { value, state } = await parsePartialJson(text);
        return state === 'successful-parse' || state === 'repaired-parse' ? { value } : undefined;
      };
    },
  },
];

export const readers: readonly Reader[] = [haft, haftWithSchema, haftWithoutOptions, haftWithFallback, ...peers];

/** Loads a reader, or `JSON.parse`, by its name. Rejects if the name is unknown. */
export async function loadReader(name: string | undefined): Promise<Read> {
  if (name === 'JSON.parse') return (text) => ({ value: JSON.parse(text) as unknown });
  const reader = readers.find((candidate) => candidate.name === name);
  if (reader === undefined) throw new Error(`unknown reader "${name}"`);
  return reader.load();
}
