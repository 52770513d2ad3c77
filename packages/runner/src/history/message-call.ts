import type { MessageToolCall } from '@haft/core';

const invalidNameCharacters = /[^A-Za-z0-9_-]/g;
const wireName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * A call in the form that every vendor takes back: a name of letters, digits, `_` and `-`, and an object of arguments,
 * empty where they could not be read. A model thus never sees its own damaged JSON again, and no server chokes on it.
 */
export function toMessageCall(id: string, name: string, args: unknown): MessageToolCall {
  return { id, name: acceptableName(name), arguments: copyObject(args) };
}

/** The same for arguments that were just read from a text of so many characters, so that nobody else holds them. */
export function toOwnMessageCall(id: string, name: string, args: unknown, characters: number): MessageToolCall {
  // What is short is not nested too deeply to be sent.
  if (characters > shortText || !isPlainObject(args)) return toMessageCall(id, name, args);
  return { id, name: acceptableName(name), arguments: args };
}

const shortText = 2_000;

function acceptableName(name: string): string {
  if (wireName.test(name)) return name;
  const acceptable = name.replace(invalidNameCharacters, '_').slice(0, 64);
  return acceptable === '' ? 'unknown' : acceptable;
}

/** A copy, so that a body that changes its arguments doesn't change the conversation. Nesting too deep to be sent is left out. */
function copyObject(value: unknown): object {
  if (!isPlainObject(value)) return {};
  try {
    return JSON.parse(JSON.stringify(value)) as object;
  } catch {
    return {};
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
