import { redactText } from '@haft/core';
import { cleanText } from '@haft/sandbox';
import { createSecretReplacer } from './replace-secrets.ts';

/** Where a connection's secrets are. */
export interface SecretSources {
  /** Variables of its process. */
  readonly env: Readonly<Record<string, string>>;
  /** Headers of its requests. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url?: string | undefined;
  readonly login?: { readonly clientSecret?: string | undefined } | undefined;
  readonly secrets?: readonly string[] | undefined;
  /** Tokens that a login brings, which are added while the connection is used. */
  readonly tokens?: ReadonlySet<string> | undefined;
}

/** Takes the secrets of a connection out of everything that leaves it. */
export interface SecretRedactor {
  /** A text without secrets and without hidden characters, which could keep a secret from being found. */
  text(text: string): string;
  /** A copy of a value that holds nothing but JSON. */
  value<Value>(value: Value): Value;
  /** A copy of what was thrown: message, stack, causes, collected errors and members. */
  error(thrown: unknown): Error;
}

const maxDepth = 16;
const maxMembers = 10_000;
const hidden = '[redacted]';

/** Makes a redactor of the secrets of a connection. */
export function createSecretRedactor(sources: SecretSources): SecretRedactor {
  const known = secretsOf(sources);
  let learned = -1;
  let replace: (text: string) => string = (text) => text;

  const text = (dirty: string): string => {
    const size = sources.tokens?.size ?? 0;
    if (size !== learned) replace = createSecretReplacer([...known, ...(sources.tokens ?? [])], hidden);
    learned = size;
    return redactText(replace(cleanText(dirty)));
  };

  const copy = (value: unknown, room: Room): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
    const known = room.copies.get(value);
    if (known !== undefined) return known;
    if (room.depth >= maxDepth || (room.left -= 1) < 0) return hidden;
    room.depth += 1;
    try {
      if (value instanceof Error) return copyError(value, room);
      if (Array.isArray(value)) return value.map((item) => copy(item, room));
      const prototype: unknown = Object.getPrototypeOf(value);
      // A request or a response holds more than can be looked through.
      if (prototype !== null && prototype !== Object.prototype) return `[${text(nameOf(value))}]`;
      const members = Object.entries(value).map(([name, member]) => [text(name), copy(member, room)] as const);
      return Object.fromEntries(members);
    } finally {
      room.depth -= 1;
    }
  };
  const copyError = (error: Error, room: Room): Error => {
    // Nothing says that these are texts.
    const { message, name, stack = '' } = error as Readonly<Record<'message' | 'name' | 'stack', unknown>>;
    const copied = new Error(text(String(message)));
    // What kind of error it is may be asked with `instanceof`.
    Object.setPrototypeOf(copied, Object.getPrototypeOf(error) as object);
    room.copies.set(error, copied);
    const define = (name: string, value: unknown, enumerable: boolean): void =>
      void Object.defineProperty(copied, name, { value, enumerable, writable: true, configurable: true });
    define('name', text(String(name)), false);
    define('stack', text(String(stack)), false);
    for (const member of ['cause', 'errors'] as const)
      if (member in error) define(member, copy(Reflect.get(error, member), room), false);
    for (const [key, member] of Object.entries(error))
      if (!['name', 'message', 'stack', 'cause', 'errors'].includes(key)) define(text(key), copy(member, room), true);
    return copied;
  };
  const safely = (value: unknown): unknown => {
    try {
      return copy(value, { depth: 0, left: maxMembers, copies: new Map() });
    } catch {
      return hidden;
    }
  };

  return {
    text,
    value: (value) => safely(value) as typeof value,
    error(thrown) {
      const safe = safely(thrown);
      return safe instanceof Error ? safe : new Error(typeof safe === 'string' ? safe : 'the server failed');
    },
  };
}

interface Room {
  depth: number;
  left: number;
  readonly copies: Map<object, unknown>;
}

function nameOf(value: object): string {
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  return typeof constructor?.name === 'string' ? constructor.name : 'object';
}

function secretsOf({ env, headers, url, login, secrets = [] }: SecretSources): readonly string[] {
  const sent = Object.values(headers).flatMap((value) => {
    // Of `Bearer abc` the last word alone is a secret as well, and of `Basic …` the password in it.
    const last = value.trim().split(/\s+/).at(-1) ?? '';
    const isBasic = /^basic\s/i.test(value.trim());
    const decoded = isBasic ? Buffer.from(last, 'base64').toString('utf8') : '';
    return [value, last, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  });
  return [...Object.values(env), ...sent, ...secrets, ...inUrl(url), login?.clientSecret ?? ''];
}

/** Values in the query of an address, and words of its path that look as if they were copied at random. */
function inUrl(known: string | undefined): readonly string[] {
  if (known === undefined || !URL.canParse(known)) return [];
  const { searchParams, pathname, username, password, hash } = new URL(known);
  const words = pathname.split('/').filter((word) => word.length >= 16 && /\d/.test(word) && /[a-z]/i.test(word));
  return [...searchParams.values(), ...words, username, password, hash.slice(1)];
}
