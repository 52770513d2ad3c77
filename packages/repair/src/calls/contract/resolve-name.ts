import type { CallableTool } from './envelope.ts';

/** The declared tool that a written name means, and whether it had to be read differently from how it was written. */
interface ResolvedName {
  readonly tool: CallableTool;
  readonly isExact: boolean;
}

/** What models write before the name of a tool. */
const namePrefixes: readonly string[] = [
  'functions.',
  'function.',
  'default_api.',
  'namespace.',
  'tools.',
  'tool.',
  'api.',
];

/**
 * Finds the declared tool of a written name: the very name, then the name without suffixes such as `:0` and prefixes such
 * as `functions.`, in each form also the only one that differs in nothing but case, `-`, `_`, dots and backslashes; at last
 * the only tool of which a part between dots is missing or too many.
 */
export function resolveName(tools: readonly CallableTool[], written: string): ResolvedName | undefined {
  const exact = tools.find((tool) => tool.name === written);
  if (exact !== undefined) return { tool: exact, isExact: true };
  for (const name of spellingsOf(written.trim())) {
    const same = tools.find((tool) => tool.name === name);
    if (same !== undefined) return { tool: same, isExact: false };
    const folded = foldName(name);
    const similar = folded === '' ? [] : tools.filter((tool) => foldedName(tool) === folded);
    if (similar.length > 1) return undefined;
    if (similar[0] !== undefined) return { tool: similar[0], isExact: false };
  }
  const part = onlyPart(tools, written.trim());
  return part && { tool: part, isExact: false };
}

/** A name as it is written, without a suffix such as `:0`, and without a prefix such as `functions.` as well. */
function spellingsOf(written: string): readonly string[] {
  const colon = written.lastIndexOf(':');
  const name = colon > 0 && /^\d+$/.test(written.slice(colon + 1)) ? written.slice(0, colon) : written;
  const prefix = namePrefixes.find((candidate) => name.startsWith(candidate));
  const spellings = [written, name, prefix === undefined ? name : name.slice(prefix.length)];
  return [...new Set(spellings)];
}

/** The only tool whose dotted name ends in a word that stands alone, or whose whole name stands behind a foreign prefix. */
function onlyPart(tools: readonly CallableTool[], written: string): CallableTool | undefined {
  const dot = written.lastIndexOf('.');
  const suits = ({ name }: CallableTool): boolean =>
    dot === -1 ? name.endsWith(`.${written}`) : name === written.slice(dot + 1);
  const found = written === '' ? [] : tools.filter(suits);
  return found.length === 1 ? found[0] : undefined;
}

// The tools of a conversation are compared with many words.
const known = new WeakMap<CallableTool, { readonly name: string; readonly folded: string }>();

function foldedName(tool: CallableTool): string {
  const former = known.get(tool);
  if (former !== undefined && former.name === tool.name) return former.folded;
  const folded = foldName(tool.name);
  known.set(tool, { name: tool.name, folded });
  return folded;
}

/** A name without what spellings of it differ in. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s\\]/g, '');
}
