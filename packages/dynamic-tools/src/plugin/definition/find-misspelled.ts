import { countSlips } from '@haft/schema/spelling';

/** Returns the member that a key probably means, or undefined. Keys of fewer than four characters mean themselves. */
export function findMisspelled(
  given: object,
  members: readonly string[],
): { readonly key: string; readonly meant: string } | undefined {
  for (const key of Object.keys(given)) {
    if (members.includes(key) || key.length < 4) continue;
    const meant = members.find((name) => !(name in given) && countSlips(key, name, 1) <= 1);
    if (meant !== undefined) return { key, meant };
  }
  return undefined;
}
