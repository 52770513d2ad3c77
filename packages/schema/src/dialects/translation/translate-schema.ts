import type { JsonSchema, JsonSchemaObject } from '../../json-schema.ts';
import { isRecord } from '../../json-value.ts';
import type { SchemaDocument } from '../../document/schema-document.ts';
import type { DialectSchema, LostRule } from '../definition/dialect.ts';
import { freezeSchema } from '../definition/freeze-schema.ts';
import { nameKeys } from '../names/name-keys.ts';
import { declaredNames } from './declared-names.ts';
import { renameKeys } from './rename-keys.ts';
import { shapeOfRoot } from './root-shape.ts';
import { createTranslator } from './translate-part.ts';
import type { TranslationRules } from './translation-rules.ts';

/** Writes a schema in another draft, or with the root that a provider needs. Other keywords are kept. */
export function translateSchema(document: SchemaDocument, rules: TranslationRules): DialectSchema {
  const lost: LostRule[] = [];
  const shape = rules.isRootObject
    ? shapeOfRoot(document)
    : { root: document.root, isWrapped: false, dropped: [], lacksType: false };
  const { isWrapped, dropped } = shape;
  const path = typeof shape.root === 'boolean' ? '#' : document.pointerOf(shape.root);
  const meaning = 'combinations of required keys are not enforced';
  for (const keyword of dropped) lost.push({ path, keyword, effect: 'wider', meaning });
  if (shape.lacksType) {
    const narrower = 'only an object can be given, because the schema has no type';
    lost.push({ path, keyword: 'type', effect: 'narrower', meaning: narrower });
  }

  const keys = nameKeys(rules.keys === undefined ? [] : declaredNames(document.root), rules.keys);
  const translator = createTranslator(document, rules, keys, lost);
  const whole = without(shape.root, dropped);
  const translated = translator.translate(whole, isWrapped ? '#/properties/value' : '#');
  const definitions = translator.finish();
  const root = isWrapped ? wrap(translated) : asObject(translated, rules);
  const schema: JsonSchemaObject = {
    ...(rules.uri === undefined ? {} : { $schema: rules.uri }),
    ...root,
    ...(Object.keys(definitions).length === 0 ? {} : { [translator.definitionsKeyword]: definitions }),
  };
  const names = new Map([...keys].map(([name, key]) => [key, name]));
  return {
    schema: freezeSchema(schema),
    lost: Object.freeze(lost),
    raise: (answer) => guard(answer, () => renameKeys(isWrapped ? unwrap(answer) : answer, names)),
    lower: (value) => guard(value, () => (isWrapped ? { value: renameKeys(value, keys) } : renameKeys(value, keys))),
  };
}

function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  if (typeof schema === 'boolean' || keywords.length === 0) return schema;
  const gone = new Set(keywords.includes('if') ? [...keywords, 'then', 'else'] : keywords);
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !gone.has(keyword)));
}

function wrap(schema: JsonSchema): JsonSchemaObject {
  return { type: 'object', properties: { value: schema }, required: ['value'], additionalProperties: false };
}

function asObject(schema: JsonSchema, { isRootObject }: TranslationRules): JsonSchemaObject {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (!isRootObject) return schema;
  const { type: _, properties, ...rest } = schema;
  return { type: 'object', properties: properties ?? {}, ...rest };
}

function unwrap(answer: unknown): unknown {
  const isAnswer = isRecord(answer) && Object.hasOwn(answer, 'value') && Object.keys(answer).length === 1;
  return isAnswer ? answer['value'] : answer;
}

/** Values come from models: a value that is nested too deep stays unchanged. */
function guard(value: unknown, work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return value;
    throw error;
  }
}
