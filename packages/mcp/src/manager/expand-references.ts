import type { ServerEntry } from './server-entry.ts';

/** Values for references. */
export type ReferenceValues = Readonly<Record<string, string | undefined>>;

/** An entry with its references replaced, or the references without a value. */
export type ExpandedEntry<Entry extends ServerEntry> =
  | {
      readonly ok: true;
      readonly entry: Entry;
      /** The inserted values. */
      readonly values: readonly string[];
    }
  | { readonly ok: false; readonly missing: readonly string[] };

/**
 * `${NAME}`, `${NAME:-default}`, `${env:NAME}`, and `${input:token}` of other clients, which stays without a value. A
 * default ends before the next reference, so that the search takes linear time.
 */
const reference = /\$\{((?:env:|input:)?[A-Za-z_][A-Za-z0-9_.-]*)(?::-((?:[^}$]|\$(?!\{))*))?\}/g;

/** Replaces references in every string of an entry. */
export function expandReferences<Entry extends ServerEntry>(
  entry: Entry,
  environment: ReferenceValues,
): ExpandedEntry<Entry> {
  const missing = new Set<string>();
  const values = new Set<string>();
  const expand = (text: string): string =>
    text.replace(reference, (_whole, given: string, fallback?: string) => {
      const name = given.replace(/^env:/, '');
      const value = (Object.hasOwn(environment, name) ? environment[name] : undefined) || fallback;
      if (value === undefined) missing.add(name);
      else if (value !== fallback) values.add(value);
      return value ?? '';
    });
  const expanded = mapTexts(entry, expand);
  return missing.size > 0 ? { ok: false, missing: [...missing] } : { ok: true, entry: expanded, values: [...values] };
}

/** Returns the variables that an entry refers to. */
export function referencesOf(entry: ServerEntry): readonly string[] {
  const names = new Set<string>();
  mapTexts(entry, (text) => {
    for (const [, name = ''] of text.matchAll(reference)) names.add(name.replace(/^env:/, ''));
    return text;
  });
  return [...names];
}

/** Returns a text without its references. */
export function withoutReferences(text: string): string {
  return text.replace(reference, '');
}

/** Returns whether text contains a reference. */
export function holdsReference(text: string): boolean {
  return text.search(reference) >= 0;
}

function mapTexts<Entry extends ServerEntry>(entry: Entry, change: (text: string) => string): Entry {
  const { command, args, env, cwd, url, headers } = entry;
  const record = (given: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, text]) => [name, change(text)]));
  return {
    ...entry,
    ...(command === undefined ? {} : { command: change(command) }),
    ...(args === undefined ? {} : { args: args.map(change) }),
    ...(env === undefined ? {} : { env: record(env) }),
    ...(cwd === undefined ? {} : { cwd: change(cwd) }),
    ...(url === undefined ? {} : { url: change(url) }),
    ...(headers === undefined ? {} : { headers: record(headers) }),
  };
}
