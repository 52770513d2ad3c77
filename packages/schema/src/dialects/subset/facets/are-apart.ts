import { indexOfChoices } from '../../../values/choice-index.ts';
import type { JsonSchema } from '../../../json-schema.ts';
import { jsonTypeOf } from '../../../json-value.ts';
import type { Facets } from './facets.ts';

/** Whether types, fixed values and discriminators show that no value can match both alternatives. */
export function areApart(
  left: Facets,
  right: Facets,
  choicesOf: (schema: JsonSchema) => readonly unknown[] | undefined,
): boolean {
  const shared = typesIn(left).filter((type) => typesIn(right).includes(type));
  if (shared.length === 0) return true;
  if (left.values !== undefined && right.values !== undefined) return !haveCommon(left.values, right.values);
  return shared.length === 1 && shared[0] === 'object' && haveDifferentTags(left, right, choicesOf);
}

function typesIn({ types, values }: Facets): readonly (string | undefined)[] {
  return values === undefined ? [...types] : values.map(jsonTypeOf);
}

function haveDifferentTags(
  left: Facets,
  right: Facets,
  choicesOf: (schema: JsonSchema) => readonly unknown[] | undefined,
): boolean {
  return [...left.required].some((key) => {
    if (!right.required.has(key)) return false;
    const [one, two] = [left, right].map(({ keys }) =>
      keys.flatMap(({ properties }) => (Object.hasOwn(properties, key) ? [properties[key] as JsonSchema] : [])),
    );
    const someOfOne = one?.map(choicesOf).find((choices) => choices !== undefined);
    const someOfTwo = two?.map(choicesOf).find((choices) => choices !== undefined);
    return someOfOne !== undefined && someOfTwo !== undefined && !haveCommon(someOfOne, someOfTwo);
  });
}

function haveCommon(left: readonly unknown[], right: readonly unknown[]): boolean {
  const index = indexOfChoices(right);
  return left.some((value) => index.has(value));
}
