import type { MessageToolCall } from '@haft/core';

const invalidNameCharacters = /[^A-Za-z0-9_-]/g;
const wireName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Converts a call to the form that every vendor accepts: a name of letters, digits, `_` and `-`, and an object of
 * arguments, empty if unreadable. The model never receives its own damaged JSON.
 */
export function toMessageCall(id: string, name: string, args: unknown): MessageToolCall {
  return { id, name: acceptableName(name), arguments: copyObject(args) };
}

/** Same for arguments that were just parsed from a text, so that no other code refers to them. */
export function toOwnMessageCall(id: string, name: string, args: unknown, characters: number): MessageToolCall {
  // A short text cannot be nested too deeply.
  if (characters > shortText || !isPlainObject(args)) return toMessageCall(id, name, args);
  return { id, name: acceptableName(name), arguments: args };
}

const shortText = 2_000;

function acceptableName(name: string): string {
  if (wireName.test(name)) return name;
  const acceptable = name.replace(invalidNameCharacters, '_').slice(0, 64);
  return acceptable === '' ? 'unknown' : acceptable;
}

/**
 * Copies the value, so that a tool that changes its arguments does not change the conversation. Drops too deep nesting.
 */
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
