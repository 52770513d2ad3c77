import type { CallableTool } from './callable-tool.ts';

/** The declared tool that a written name means, and whether it had to be read differently from how it was written. */
export interface ResolvedName {
  readonly tool: CallableTool;
  readonly isExact: boolean;
}

/** What models write before the name of a tool. */
export const namePrefixes: readonly string[] = [
  'functions.',
  'function.',
  'default_api.',
  'namespace.',
  'tools.',
  'tool.',
  'api.',
];

/**
 * Finds the declared tool of a written name: the very name, then the name without prefixes such as `functions.` and
 * suffixes such as `:0`, then the only one that differs in nothing but case, `-`, `_` and dots.
 */
export function resolveName(tools: readonly CallableTool[], written: string): ResolvedName | undefined {
  const exact = tools.find((tool) => tool.name === written);
  if (exact !== undefined) return { tool: exact, isExact: true };
  const name = stripAffixes(written.trim());
  const stripped = tools.find((tool) => tool.name === name);
  if (stripped !== undefined) return { tool: stripped, isExact: false };
  const folded = foldName(name);
  const similar = folded === '' ? [] : tools.filter((tool) => foldName(tool.name) === folded);
  return similar.length === 1 && similar[0] !== undefined ? { tool: similar[0], isExact: false } : undefined;
}

function stripAffixes(written: string): string {
  let name = written;
  const colon = name.lastIndexOf(':');
  if (colon > 0 && /^\d+$/.test(name.slice(colon + 1))) name = name.slice(0, colon);
  const prefix = namePrefixes.find((candidate) => name.startsWith(candidate));
  return prefix === undefined ? name : name.slice(prefix.length);
}

/** A name without what spellings of it differ in. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s]/g, '');
}
