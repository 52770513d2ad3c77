import type { Message } from '@haft/core';

/** Text this short is a coincidence. */
const shortest = 16;
const deepest = 64;

/** Tells whether a piece of a model's text was written by others before the model wrote it. */
export type IsQuoted = (text: string) => boolean;

const comparables = new WeakMap<Message, readonly string[]>();

/**
 * Looks for text in what tools have answered, and, where it is marked up as a call, in what users have sent: a model that
 * repeats a file with a call in it makes no call. Whitespace, line numbers and the escapes of JSON don't count. The
 * conversation is read when it is first asked, each message once.
 */
export function findQuotes(messages: readonly Message[]): IsQuoted {
  return (text) => {
    const looked = comparable(text);
    if (looked.length < shortest) return false;
    const isMarkedUp = text.trimStart().startsWith('<');
    return messages.some((message) => {
      if (message.role !== 'tool' && !(message.role === 'user' && isMarkedUp)) return false;
      return textsOf(message).some((one) => one.includes(looked));
    });
  };
}

function textsOf(message: Message): readonly string[] {
  const known = comparables.get(message);
  if (known) return known;
  const texts: string[] = [];
  if (typeof message.content === 'string') texts.push(message.content);
  else
    for (const part of message.content) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'json') collectStrings(part.value, texts, 0);
    }
  const compared = texts.map(comparable);
  comparables.set(message, compared);
  return compared;
}

function collectStrings(value: unknown, into: string[], depth: number): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'object' && value !== null && depth < deepest) {
    // A call as data is quoted as JSON.
    if (depth === 0) into.push(asJson(value));
    for (const member of Object.values(value)) collectStrings(member, into, depth + 1);
  }
}

function asJson(value: object): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

function comparable(text: string): string {
  return text.replace(/^[ \t]*\d{1,9}[ \t]*[:|→\t]/gm, '').replace(/\\[nrt]|\\|\s/g, '');
}
