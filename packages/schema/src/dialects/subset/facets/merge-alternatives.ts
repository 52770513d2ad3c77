import type { Facets } from './facets.ts';

/**
 * Merges similar alternatives: those that only list values become one list, and objects that differ only in their
 * required keys become one object, which accepts more.
 */
export function mergeAlternatives(alternatives: readonly Facets[]): {
  readonly merged: readonly Facets[];
  readonly isWider: boolean;
} {
  const lists = alternatives.filter(isOnlyValues);
  const others = alternatives.filter((facets) => !isOnlyValues(facets));
  const [first] = lists;
  const merged: Facets[] =
    first === undefined
      ? []
      : [
          {
            ...first,
            types: new Set(lists.flatMap(({ types }) => [...types])),
            values: lists.flatMap(({ values }) => values ?? []),
            note: lists.length === 1 ? first.note : {},
          },
        ];
  let isWider = false;
  for (const facets of others) {
    const index = merged.findIndex((known) => differOnlyInRequired(known, facets));
    const known = merged[index];
    if (known === undefined) {
      merged.push(facets);
      continue;
    }
    const required = new Set([...known.required].filter((key) => facets.required.has(key)));
    if (required.size < known.required.size || required.size < facets.required.size) isWider = true;
    merged[index] = { ...known, required };
  }
  return { merged, isWider };
}

/** Whether an alternative only lists values. */
export function isOnlyValues(facets: Facets): boolean {
  const { values, limits, items, keys, required, isInteger } = facets;
  const isLimited = limits.size > 0 || items.length > 0 || keys.length > 0 || required.size > 0;
  return values !== undefined && !isLimited && !isInteger && !facets.isSealed;
}

function differOnlyInRequired(left: Facets, right: Facets): boolean {
  return (
    left.required.size > 0 &&
    right.required.size > 0 &&
    left.values === undefined &&
    right.values === undefined &&
    left.limits.size + right.limits.size + left.items.length + right.items.length === 0 &&
    left.isSealed === right.isSealed &&
    left.types.size === right.types.size &&
    [...left.types].every((type) => right.types.has(type)) &&
    left.keys.length === right.keys.length &&
    left.keys.every((rules, index) => rules === right.keys[index])
  );
}
