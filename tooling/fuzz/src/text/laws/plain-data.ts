/** Returns why a value is not plain JSON data, or undefined if it is. Uses no recursion, and limits its depth. */
export function whyNotPlain(value: unknown): string | undefined {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (part === null || typeof part === 'string' || typeof part === 'boolean') continue;
    if (typeof part === 'number') {
      if (Number.isNaN(part)) return 'a number that JSON cannot represent';
      continue;
    }
    if (typeof part !== 'object') return `a ${typeof part}`;
    const expected = Array.isArray(part) ? Array.prototype : Object.prototype;
    if (Object.getPrototypeOf(part) !== expected) return 'an object with another prototype';
    const keys = Reflect.ownKeys(part);
    for (const key of keys) {
      const property = Object.getOwnPropertyDescriptor(part, key);
      if (typeof key === 'symbol' || property?.get !== undefined) return 'a member that no JSON spells';
      if (key === 'length' && Array.isArray(part)) continue;
      if (property?.enumerable !== true || property.writable !== true) return `a hidden member ${key}`;
      open.push(property.value);
    }
    if (Array.isArray(part) && keys.length !== part.length + 1) return 'a list with holes or members';
  }
  return undefined;
}

/** Maximum nesting of containers. */
export function depthOf(value: unknown): number {
  let deepest = 0;
  const open: [unknown, number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [part, depth] = next;
    deepest = Math.max(deepest, depth);
    if (typeof part !== 'object' || part === null) continue;
    deepest = Math.max(deepest, depth + 1);
    for (const inner of Object.values(part)) open.push([inner, depth + 1]);
  }
  return deepest;
}

/** Returns whether a value survives a round trip through JSON. */
export function isSpellable(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === 'number' && !Number.isFinite(part)) return false;
    if (typeof part === 'object' && part !== null) open.push(...Object.values(part));
  }
  return true;
}

const before = prototypeKeys();

/**
 * Returns the members that were added to shared prototypes since this module was loaded. Hidden members are expensive
 * to find, so they are not checked.
 */
export function addedToPrototypes(isThorough: boolean): string {
  if (!isThorough && !hasSharedMember()) return '';
  const now = prototypeKeys();
  return now === before ? '' : `${before} has become ${now}`;
}

const heirs: readonly object[] = [Object.create(Array.prototype) as object, Object.create(String.prototype) as object];

function hasSharedMember(): boolean {
  // These prototypes have no enumerable members of their own.
  for (const heir of heirs) {
    for (const key in heir) if (key !== '') return true;
  }
  return false;
}

function prototypeKeys(): string {
  const count = (prototype: object): number => Reflect.ownKeys(prototype).length;
  return [Object.prototype, Array.prototype, String.prototype].map(count).join(' ');
}
