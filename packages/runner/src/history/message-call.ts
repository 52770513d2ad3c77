import type { MessageToolCall } from '@haft/core';

const unacceptable = /[^A-Za-z0-9_-]/g;

/**
 * A call in the form that every vendor takes back: a name of letters, digits, `_` and `-`, and an object of arguments,
 * empty where they could not be read. A model thus never sees its own damaged JSON again, and no server chokes on it.
 */
export function toMessageCall(id: string, name: string, args: unknown): MessageToolCall {
  const acceptable = name.replace(unacceptable, '_').slice(0, 64);
  return { id, name: acceptable === '' ? 'unknown' : acceptable, arguments: copyObject(args) };
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
