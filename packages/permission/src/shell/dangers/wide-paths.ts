import type { RunWord } from '../run/run-word.ts';

/** Folders whose children are home directories or whole systems: `/home/ann` counts as wide as `/home`. */
const homesOf: ReadonlySet<string> = new Set(['home', 'users', 'mnt', 'media', 'volumes']);
const homeForms = /^(?:~[^/]*|\$HOME|\$\{HOME[^}]*\}|\$USERPROFILE|%userprofile%)(?=\/|\\|$)/i;

/**
 * How much a path covers: a whole system or home directory (or a parent of the working directory), the working
 * directory, or less.
 */
export type PathReach = 'system' | 'working folder' | 'less';

/**
 * Returns whether removing this path is almost certainly a mistake: the root, a folder in the root, a home directory,
 * the working directory or a parent of it, or everything in one of these.
 */
export function reachOf({ text }: RunWord, home: string | undefined): PathReach {
  const slashed = text.replaceAll('\\', '/');
  const unhomed = homeForms.test(slashed) ? slashed.replace(homeForms, '~') : slashed;
  const named =
    home !== undefined && (unhomed === home || unhomed.startsWith(`${home}/`))
      ? `~${unhomed.slice(home.length)}`
      : unhomed;
  const isAbsolute = named.startsWith('/') || /^[a-z]:/i.test(named);
  const names = collapse(named.replace(/^[a-z]:/i, '/').split('/'), isAbsolute);
  // A glob for all entries of a folder counts as the folder.
  while (names.length > 0 && /^(?:\*+|\.\*|\{,\.\}\*|\.\[!\.\]\*|\.\?\?\*)$/.test(names.at(-1)!)) {
    names.pop();
  }
  if (isAbsolute)
    return names.length <= 1 || (names.length === 2 && homesOf.has(names[0]!.toLowerCase())) ? 'system' : 'less';
  if (names.length === 0) return text === '' ? 'less' : 'working folder';
  return (names.length === 1 && names[0] === '~') || names.every((name) => name === '..') ? 'system' : 'less';
}

function collapse(names: readonly string[], isAbsolute: boolean): string[] {
  const kept: string[] = [];
  for (const name of names) {
    if (name === '' || name === '.') continue;
    if (name !== '..') kept.push(name);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute) kept.push('..');
  }
  return kept;
}
