import type { MemberPart, ObjectPart, Part } from './part.ts';

/** A place in arguments: the object that a key is in, what the object and the key are declared as, and the value there. */
export interface MemberPlace {
  readonly holder: Record<string, unknown>;
  readonly object: ObjectPart;
  readonly name: string;
  readonly member: MemberPart;
  /** `undefined` where the key is left out. */
  readonly value: unknown;
}

/** An object in arguments. */
export interface ObjectPlace {
  readonly holder: Record<string, unknown>;
  readonly object: ObjectPart;
}

/** Every object in arguments, from the root down, as far as they fit. */
export function objectsOf(part: Part, value: unknown): readonly ObjectPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  if (part.kind === 'list') return Array.isArray(value) ? value.flatMap((item) => objectsOf(part.items, item)) : [];
  if (part.kind !== 'object' || Array.isArray(value)) return [];
  const holder = value as Record<string, unknown>;
  const inner = Object.entries(part.members).flatMap(([name, member]) => objectsOf(member.part, holder[name]));
  return [{ holder, object: part }, ...inner];
}

/** Every key that is declared in those objects, whether it is given or not. */
export function membersOf(part: Part, value: unknown): readonly MemberPlace[] {
  return objectsOf(part, value).flatMap(({ holder, object }) =>
    Object.entries(object.members).map(([name, member]) => ({ holder, object, name, member, value: holder[name] })),
  );
}
