import type { CallableTool } from './envelope.ts';

const namePrefixes: readonly string[] = [
  'functions.',
  'functions/',
  'function.',
  'default_api.',
  'namespace.',
  'tools.',
  'tools/',
  'tool.',
  'api.',
];

/** The server of a tool. */
const serverPrefix = /^mcp__[\w-]{1,64}?__/;

/**
 * Finds the declared tool of a written name: the exact name, then the name without a suffix such as `:0` or a prefix
 * such as `functions.`, each also if it differs only in case, `-`, `_`, dots and backslashes from one tool. Otherwise
 * finds the only tool whose name has one more or one fewer part between dots, or the prefix of a server, `mcp__files__`.
 */
export function resolveName(tools: readonly CallableTool[], written: string | undefined): CallableTool | undefined {
  if (written === undefined) return undefined;
  const exact = tools.find((tool) => tool.name === written);
  if (exact !== undefined) return exact;
  for (const name of spellingsOf(written.trim())) {
    const same = tools.find((tool) => tool.name === name);
    if (same !== undefined) return same;
    const folded = foldName(name);
    const similar = folded === '' ? [] : tools.filter((tool) => foldedName(tool) === folded);
    if (similar.length > 1) return undefined;
    if (similar[0] !== undefined) return similar[0];
  }
  return onlyPart(tools, written.trim());
}

/** Returns a name as written, without a suffix such as `:0`, without a prefix such as `functions.`, and without a comma or `()` at its end. */
function spellingsOf(written: string): readonly string[] {
  const name = written.replace(/:\d+$/, '');
  const prefix = namePrefixes.find((candidate) => name.startsWith(candidate)) ?? serverPrefix.exec(name)?.[0];
  const plain = prefix === undefined ? name : name.slice(prefix.length);
  const spellings = [written, name, plain, plain.replace(/(?:[,;:.]|\(\))$/, '')];
  return [...new Set(spellings)];
}

/** Returns the only tool whose name ends in the given word after a dot or a server, or follows a prefix that is no tool. */
function onlyPart(tools: readonly CallableTool[], written: string): CallableTool | undefined {
  const dot = Math.max(written.lastIndexOf('.'), written.lastIndexOf(':'));
  const suits = ({ name }: CallableTool): boolean =>
    dot === -1
      ? name.endsWith(`.${written}`) || serverPrefix.exec(name)?.[0] === name.slice(0, -written.length)
      : name === written.slice(dot + 1);
  const isMember = dot !== -1 && tools.some(({ name }) => name === written.slice(0, dot));
  const found = isMember ? [] : tools.filter(suits);
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

/** Removes the characters in which the spellings of a name differ. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s\\]/g, '');
}

/** Returns the declared names that contain a space, longest first. */
export function namesWithSpaces(tools: readonly CallableTool[]): readonly string[] {
  const names = tools.map(({ name }) => name).filter((name) => name.includes(' '));
  return names.sort((one, other) => other.length - one.length);
}
