/** A server as a format describes it, in the members of common clients. It is validated later. */
export interface ImportedEntry {
  readonly name: string;
  readonly entry: unknown;
  /** Members that ask for something that can't be honoured. */
  readonly unsupported: readonly string[];
}

/** A value that the user has to provide. References name it as `${id}`. */
export interface ConfigurationInput {
  /** Key of the value in the manager's `environment`, such as `input:token`. */
  readonly id: string;
  readonly description: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** Default that the file names, if any. References contain it already. */
  readonly default?: string;
}

/** The contents of a configuration in any format. */
export interface ImportedContents {
  readonly format: string;
  readonly entries: readonly ImportedEntry[];
  readonly inputs: readonly ConfigurationInput[];
  /** What the file asks for beyond its servers, and can't be honoured. */
  readonly unsupported: readonly string[];
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
