import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isRecord } from '../json-value.ts';
import { SchemaError } from '../schema-error.ts';
import { createEffort, createKeyIndex } from '../spelling/closest-key.ts';
import { countSlips } from '../spelling/edit-distance.ts';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from './check-schema-form.ts';
import { childSchemas } from './child-schemas.ts';

/** Keywords that change which values are valid, or how a model understands them. Words that are too short are left out. */
const targets: readonly string[] = [
  ...schemaKeywords.filter((keyword) => keyword.length > 4),
  ...schemaListKeywords,
  ...schemaMapKeywords,
  ...wordsOf('type enum const items required pattern format default description $ref minimum maximum exclusiveMinimum'),
  ...wordsOf('exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minContains maxContains'),
  ...wordsOf('minProperties maxProperties dependentRequired'),
];

/** Other keywords of JSON Schema, its earlier versions and OpenAPI. Some are similar to a target. */
const known: ReadonlySet<string> = new Set([
  ...targets,
  ...schemaKeywords,
  ...wordsOf(
    'id $id $schema $anchor $dynamicRef $dynamicAnchor $vocabulary $comment title examples example deprecated',
  ),
  ...wordsOf('readOnly writeOnly dependencies nullable discriminator contentEncoding contentMediaType contentSchema'),
  ...wordsOf('externalDocs xml formatMinimum formatMaximum'),
]);

/** Keywords below which a schema stands alone. Below other keywords, its properties may be declared elsewhere. */
const aloneBelow = /^(?:properties|patternProperties|additionalProperties|items|prefixItems|contains)(?:\/|$)/;
/** Keywords with which the properties may be declared elsewhere. */
const declaring = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
];

/**
 * Checks a JSON Schema for slips of its author: an unknown keyword that is nearly a known one, and a name in `required`
 * that `properties` lacks. Such a schema is valid, but accepts other values than it should. Not meant for schemas of
 * others, which may have keywords of their own.
 *
 * @throws SchemaError `SCHEMA_INVALID`, with a suggestion.
 * @example
 * import { checkSchemaSpelling } from '@haft/schema/spelling';
 * try {
 *   checkSchemaSpelling({ type: 'object', propertys: { city: { type: 'string' } } });
 * } catch (error) {
 *   (error as Error).message; // => '"propertys" is not a keyword of JSON Schema (did you mean "properties"?)'
 * }
 */
export function checkSchemaSpelling(schema: JsonSchema): void {
  checkNode(schema, '#', true);
}

function checkNode(node: JsonSchema, pointer: string, isAlone: boolean): void {
  if (typeof node !== 'object') return;
  for (const keyword of Object.keys(node)) {
    const meant = known.has(keyword) ? undefined : targets.find((target) => isSlip(keyword, target));
    if (meant !== undefined) {
      const problem = `"${keyword}" is not a keyword of JSON Schema (did you mean "${meant}"?)`;
      throw new SchemaError('SCHEMA_INVALID', problem, pointer);
    }
  }
  if (isAlone) checkRequired(node, pointer);
  for (const [child, at] of childSchemas(node)) checkNode(child, `${pointer}/${at}`, aloneBelow.test(at));
}

function checkRequired(node: JsonSchemaObject, pointer: string): void {
  const { properties, required } = node;
  if (!isRecord(properties) || !Array.isArray(required) || declaring.some((keyword) => keyword in node)) return;
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  if (missing === undefined) return;
  const names = Object.keys(properties);
  const meant = createKeyIndex(names).findClosest(missing, () => true, createEffort());
  const remedy = meant === undefined ? 'declare it there' : `did you mean ${JSON.stringify(meant)}?`;
  const problem = `required contains ${JSON.stringify(missing)}, but properties lacks it (${remedy})`;
  throw new SchemaError('SCHEMA_INVALID', problem, pointer);
}

/** Checks whether a word is a keyword with one typo, or a long keyword with two. */
function isSlip(word: string, keyword: string): boolean {
  const limit = keyword.length < 8 ? 1 : 2;
  return Math.abs(word.length - keyword.length) <= limit && countSlips(word, keyword, limit) <= limit;
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ');
}
