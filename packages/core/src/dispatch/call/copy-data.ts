/** Maximum length of an array. A longer array cannot be arguments. */
const maxListLength = 50_000_000;
/** Maximum number of members and nesting depth for copying a value without tracking visited objects. */
const fewMembers = 2_000;
const shallow = 64;

const notSimple = Symbol('a value that the simple way is not for');

/**
 * Copies data so that later changes to the original have no effect: plain objects, arrays, dates, maps, sets and bytes.
 * Reads every member once, so accessors and proxies become plain values. Instances of other classes are not copied but
 * returned as they are. Preserves cycles.
 *
 * Throws what an accessor throws, and a `RangeError` if a value has more than `maxObjects` objects, because a proxy may
 * never end.
 */
export function copyData(value: unknown, maxObjects: number = Infinity): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = copyTree(value, { left: fewMembers }, 0);
  return copy === notSimple ? copyGraph(value, maxObjects) : copy;
}

/** Deeply freezes plain objects and arrays. Only for values without other references. */
export function freezeData(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!freezeTree(value, { left: fewMembers }, 0)) freezeGraph(value);
}

/** Handles the common case. Returns false if parts of the value may not be frozen. */
function freezeTree(value: object, members: { left: number }, depth: number): boolean {
  if (depth > shallow) return false;
  if (!Array.isArray(value) && !isRecord(value)) return true;
  Object.freeze(value);
  for (const key of Object.keys(value)) {
    if ((members.left -= 1) < 0) return false;
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof member === 'object' && member !== null && !freezeTree(member, members, depth + 1)) return false;
  }
  return true;
}

function freezeGraph(value: object): void {
  const found = new Set<object>([value]);
  for (const part of found) {
    if (!Array.isArray(part) && !isRecord(part)) continue;
    Object.freeze(part);
    for (const member of Object.values(part) as readonly unknown[]) {
      if (typeof member === 'object' && member !== null) found.add(member);
    }
  }
}

/** Handles the common case: a small tree of plain objects and arrays. */
function copyTree(value: object, members: { left: number }, depth: number): unknown {
  if (depth > shallow) return notSimple;
  if (Array.isArray(value)) {
    const { length } = value;
    if ((members.left -= length) < 0) return notSimple;
    // oxlint-disable-next-line unicorn/no-new-array -- It needs less memory than an array that grows.
    const copy = new Array<unknown>(length);
    for (let index = 0; index < length; index += 1) {
      let member: unknown = value[index];
      if (typeof member === 'object' && member !== null) member = copyTree(member, members, depth + 1);
      if (member === notSimple) return notSimple;
      copy[index] = member;
    }
    return copy;
  }
  if (!isRecord(value)) return notSimple;
  // Spread is the fastest way to read each member once, and it copies `__proto__` like any other member.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    members.left -= 1;
    const member = copy[key];
    // Excludes members inherited from a modified Object.prototype.
    if (typeof member !== 'object' || member === null || !Object.hasOwn(copy, key)) continue;
    const inner = members.left < 0 ? notSimple : copyTree(member, members, depth + 1);
    if (inner === notSimple) return notSimple;
    put(copy, key, inner);
  }
  return copy;
}

/** Copies values that are large, deep or cyclic, or contain other types. Takes one pass without recursion. */
function copyGraph(root: object, maxObjects: number): unknown {
  const copies = new Map<object, unknown>();
  const unfilled: (() => void)[] = [];
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (copies.has(value)) return copies.get(value);
    if (copies.size >= maxObjects) throw new RangeError('the value contains too many objects');
    const [copy, fill] = begin(value, copyOf);
    copies.set(value, copy);
    if (fill) unfilled.push(fill);
    return copy;
  };
  const copy = copyOf(root);
  for (let fill = unfilled.pop(); fill !== undefined; fill = unfilled.pop()) fill();
  return copy;
}

/** Returns an empty copy of an object and a function that fills it. */
function begin(value: object, copyOf: (member: unknown) => unknown): readonly [copy: unknown, fill?: () => void] {
  if (Array.isArray(value)) {
    const { length } = value;
    if (length > maxListLength) throw new RangeError('the value contains too many objects');
    const copy: unknown[] = [];
    const fill = (): void => {
      for (let index = 0; index < length; index += 1) copy.push(copyOf(value[index]));
    };
    return [copy, fill];
  }
  if (value instanceof Date) return [new Date(value.getTime())];
  if (value instanceof ArrayBuffer) return [value.slice(0)];
  if (ArrayBuffer.isView(value)) return ['slice' in value ? (value as Uint8Array).slice() : value];
  if (value instanceof Map) {
    const copy = new Map<unknown, unknown>();
    return [copy, () => value.forEach((member: unknown, key: unknown) => void copy.set(copyOf(key), copyOf(member)))];
  }
  if (value instanceof Set) {
    const copy = new Set<unknown>();
    return [copy, () => value.forEach((member: unknown) => void copy.add(copyOf(member)))];
  }
  if (!isRecord(value)) return [value];
  const copy: Record<string, unknown> = {};
  const fill = (): void => {
    for (const key of Object.keys(value)) put(copy, key, copyOf(value[key]));
  };
  return [copy, fill];
}

/** Checks for an object created by a literal, by `JSON.parse` or without a prototype, in any realm. */
function isRecord(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
