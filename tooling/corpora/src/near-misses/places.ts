import type { MemberPart, ObjectPart, Part } from './part.ts';

/** A place in arguments: the object with the key, the declarations of the object and the key, and the value. */
export interface MemberPlace {
  readonly holder: Record<string, unknown>;
  readonly object: ObjectPart;
  readonly name: string;
  readonly member: MemberPart;
  /** `undefined` if the key is omitted. */
  readonly value: unknown;
}

/** An object in arguments. */
export interface ObjectPlace {
  readonly holder: Record<string, unknown>;
  readonly object: ObjectPart;
}

/** Every object in valid arguments, from the root down. */
export function objectsOf(part: Part, value: unknown): readonly ObjectPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  if (part.kind === 'list') return Array.isArray(value) ? value.flatMap((item) => objectsOf(part.items, item)) : [];
  if (part.kind !== 'object' || Array.isArray(value)) return [];
  const holder = value as Record<string, unknown>;
  const inner = Object.entries(part.members).flatMap(([name, member]) => objectsOf(member.part, holder[name]));
  return [{ holder, object: part }, ...inner];
}

/** Every key that is declared in those objects, given or not. */
export function membersOf(part: Part, value: unknown): readonly MemberPlace[] {
  return objectsOf(part, value).flatMap(({ holder, object }) =>
    Object.entries(object.members).map(([name, member]) => ({ holder, object, name, member, value: holder[name] })),
  );
}
