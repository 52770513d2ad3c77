import { redactText } from '@haft/core';
import { cleanText } from '@haft/sandbox';
import { createSecretReplacer } from './replace-secrets.ts';

/** Options that hold the secrets of a connection. */
export interface SecretSources {
  /** Environment variables of the server process. */
  readonly env: Readonly<Record<string, string>>;
  /** Headers of the requests. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url?: string | undefined;
  readonly login?: { readonly clientSecret?: string | undefined } | undefined;
  readonly secrets?: readonly string[] | undefined;
  /** Tokens obtained by a login; the set grows while the connection is in use. */
  readonly tokens?: ReadonlySet<string> | undefined;
}

/** Redacts the secrets of a connection from everything that the connection exposes. */
export interface SecretRedactor {
  /** Returns the text without secrets, and without hidden characters that could keep a secret from being found. */
  text(text: string): string;
  /** Returns a redacted copy of a JSON value. */
  value<Value>(value: Value): Value;
  /** Returns a redacted copy of a thrown value: message, stack, causes, collected errors and members. */
  error(thrown: unknown): Error;
}

const maxDepth = 16;
const maxMembers = 10_000;
const hidden = '[redacted]';

/** Creates a redactor for the secrets of a connection. */
export function createSecretRedactor(sources: SecretSources): SecretRedactor {
  const known = secretsOf(sources);
  let tokenCount = -1;
  let replace: (text: string) => string = (text) => text;

  const text = (original: string): string => {
    const size = sources.tokens?.size ?? 0;
    if (size !== tokenCount) replace = createSecretReplacer([...known, ...(sources.tokens ?? [])], hidden);
    tokenCount = size;
    return redactText(replace(cleanText(original)));
  };

  const copy = (value: unknown, state: CopyState): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
    const known = state.copies.get(value);
    if (known !== undefined) return known;
    if (state.depth >= maxDepth || (state.remaining -= 1) < 0) return hidden;
    state.depth += 1;
    try {
      if (value instanceof Error) return copyError(value, state);
      if (Array.isArray(value)) return value.map((item) => copy(item, state));
      const prototype: unknown = Object.getPrototypeOf(value);
      // Requests, responses and other class instances hold too much to copy.
      if (prototype !== null && prototype !== Object.prototype) return `[${text(classNameOf(value))}]`;
      const members = Object.entries(value).map(([name, member]) => [text(name), copy(member, state)] as const);
      return Object.fromEntries(members);
    } finally {
      state.depth -= 1;
    }
  };
  const copyError = (error: Error, state: CopyState): Error => {
    // At run time, these may have any type.
    const { message, name, stack = '' } = error as Readonly<Record<'message' | 'name' | 'stack', unknown>>;
    const copied = new Error(text(String(message)));
    // Keep `instanceof` working.
    Object.setPrototypeOf(copied, Object.getPrototypeOf(error) as object);
    state.copies.set(error, copied);
    const define = (name: string, value: unknown, enumerable: boolean): void =>
      void Object.defineProperty(copied, name, { value, enumerable, writable: true, configurable: true });
    define('name', text(String(name)), false);
    define('stack', text(String(stack)), false);
    for (const member of ['cause', 'errors'] as const)
      if (member in error) define(member, copy(Reflect.get(error, member), state), false);
    for (const [key, member] of Object.entries(error))
      if (!['name', 'message', 'stack', 'cause', 'errors'].includes(key)) define(text(key), copy(member, state), true);
    return copied;
  };
  const safely = (value: unknown): unknown => {
    try {
      return copy(value, { depth: 0, remaining: maxMembers, copies: new Map() });
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

interface CopyState {
  depth: number;
  remaining: number;
  readonly copies: Map<object, unknown>;
}

function classNameOf(value: object): string {
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  return typeof constructor?.name === 'string' ? constructor.name : 'object';
}

/** Returns every value of the options that must not be shown. */
export function secretsOf({ env, headers, url, login, secrets = [] }: SecretSources): readonly string[] {
  const headerSecrets = Object.values(headers).flatMap((value) => {
    // For `Bearer abc`, the last word is a secret too; for `Basic …`, so is the decoded password.
    const last = value.trim().split(/\s+/).at(-1) ?? '';
    const isBasic = /^basic\s/i.test(value.trim());
    const decoded = isBasic ? Buffer.from(last, 'base64').toString('utf8') : '';
    return [value, last, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  });
  return [...Object.values(env), ...headerSecrets, ...secrets, ...findUrlSecrets(url), login?.clientSecret ?? ''];
}

/** Returns the query values of a URL, and path segments that look random. */
function findUrlSecrets(url: string | undefined): readonly string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { searchParams, pathname, username, password, hash } = new URL(url);
  const segments = pathname.split('/').filter((word) => word.length >= 16 && /\d/.test(word) && /[a-z]/i.test(word));
  return [...searchParams.values(), ...segments, username, password, hash.slice(1)];
}
