import type { UnsupportedSetting } from './unsupported-setting.ts';

/** A server of a configuration, converted to the members that common clients use. Not validated yet. */
export interface ImportedEntry {
  readonly name: string;
  readonly entry: unknown;
  readonly unsupported: readonly UnsupportedSetting[];
  /** Why the server can't be used, if known from the configuration. */
  readonly problem?: string;
  /** Why the server is turned off, if a setting outside of its entry does that. */
  readonly disabled?: string;
}

/** A value that the user has to provide. References name it as `${id}`. */
export interface ConfigurationInput {
  /** Key of the value in the manager's `environment`, such as `input:token`. */
  readonly id: string;
  readonly description: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** The default from the file, if there is one. References already include it. */
  readonly default?: string;
}

/** The contents of a configuration in any format. */
export interface ImportedContents {
  readonly format: string;
  readonly entries: readonly ImportedEntry[];
  readonly inputs: readonly ConfigurationInput[];
  /** Settings of the file itself that are not supported. */
  readonly unsupported: readonly UnsupportedSetting[];
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Applies a change to every string of a JSON value. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapStrings(member, change)]));
}

/** Removes members that are null, at the top and one level below: some clients write them for "not set". */
export function withoutNulls(entry: unknown, depth = 1): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  const members = Object.entries(entry).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, depth === 0 ? member : withoutNulls(member, 0)]));
}

/** Returns a reference to a value that the user provides, with its default. */
export function referenceTo(id: string, fallback: string | undefined, isRequired: boolean): string {
  if (fallback === undefined) return isRequired ? `\${${id}}` : `\${${id}:-}`;
  // A default with a brace would change where the reference ends.
  return /[{}]/.test(fallback) ? fallback : `\${${id}:-${fallback}}`;
}

/** Members that are read, or that can be ignored. */
const honoured: ReadonlySet<string> = new Set([
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'httpUrl',
  'serverUrl',
  'headers',
  'disabled',
  'enabled',
  'includeTools',
  'excludeTools',
  'disabledTools',
  'tools',
  'type',
  'transport',
  'transportType',
  'source',
  'name',
  'title',
  'description',
  'note',
  'icon',
  'version',
  'gallery',
]);

/** Returns the members of an entry that are not supported. */
export function unknownMembers(entry: JsonRecord): readonly string[] {
  return Object.keys(entry).filter((member) => !honoured.has(member));
}

/** Returns a text, number or boolean as text. */
export function scalarOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
}

/** Describes a value that the user provides, from members of packages. */
export function inputOf(id: string, given: JsonRecord): readonly ConfigurationInput[] {
  if (id === '') return [];
  const fallback = scalarOf(given['default']);
  return [
    {
      id,
      description: textOf(given['description']) ?? '',
      isSecret: (given['isSecret'] ?? given['is_secret']) === true,
      isRequired: (given['isRequired'] ?? given['is_required']) === true,
      ...(fallback === undefined ? {} : { default: fallback }),
    },
  ];
}
