import type { GrowingText } from '../source/growing-text.ts';
import { foldName, namePrefixes } from '../contract/resolve-name.ts';

/** Whether the beginning of a word may become the name of a declared tool, in any of the spellings that `resolveName` takes. */
export function mayBecomeName(source: GrowingText, begun: string): boolean {
  source.foldedNames ??= source.tools.map(({ name }) => foldName(name));
  const prefix = namePrefixes.find((candidate) => begun.startsWith(candidate)) ?? '';
  if (namePrefixes.some((candidate) => candidate.startsWith(begun))) return true;
  const folded = [foldName(begun), foldName(begun.slice(prefix.length))];
  return source.foldedNames.some((name) => folded.some((one) => name.startsWith(one)));
}
