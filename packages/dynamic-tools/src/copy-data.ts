/** Plain, frozen data that was copied from an untrusted value. */
export type PlainData = string | number | boolean | null | readonly PlainData[] | { readonly [key: string]: PlainData };

const maxDepth = 128;
const maxItems = 20_000;

/**
 * Copies plain data and reads each member once, so that getters and proxies can't change it later. Omits functions,
 * symbols and `undefined`, like JSON. Throws an error if the value is nested too deeply, refers to itself or is too
 * large. Passes on whatever a getter throws.
 */
export function copyData(given: unknown): PlainData | undefined {
  let items = 0;
  const copy = (value: unknown, depth: number): PlainData | undefined => {
    items += 1;
    if (items > maxItems) throw new Error(`it has more than ${maxItems} members`);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'object') return undefined;
    if (depth >= maxDepth) throw new Error(`it is nested more than ${maxDepth} levels deep, or refers to itself`);
    if (Array.isArray(value)) return Object.freeze(Array.from(value, (item) => copy(item, depth + 1) ?? null));
    const members: [string, PlainData][] = [];
    for (const key of Object.keys(value)) {
      const member = copy((value as Readonly<Record<string, unknown>>)[key], depth + 1);
      if (member !== undefined) members.push([key, member]);
    }
    return Object.freeze(Object.fromEntries(members));
  };
  return copy(given, 0);
}

/**
 * Returns whether a value is an object with members: not null and not an array. Used by files that run in plugin
 * processes, which do not load `@haft/core`.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
