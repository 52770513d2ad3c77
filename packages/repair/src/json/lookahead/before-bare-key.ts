import { beforeKeyAt, trimBefore, type Settled } from './before-key.ts';
import { afterBetween } from './skip-between.ts';
import { afterSign, isValueAt } from './damaged-key.ts';
import type { Machine, StringToken } from '../machine/machine.ts';

// Closers, a comma or a line break, openers, and a name.
const namePattern = /([\]}\s]*)[,;，\n]([\s{]*)[A-Za-z_$][\w$-]{0,40}$/;

/** `{"a": "hello, b": "x"}`: the quote closes the next key, whose opening quote is missing. */
export function beforeHalfQuotedKey(machine: Machine, token: StringToken, at: number): Settled | undefined {
  // A stream has already delivered the text that would have to be withdrawn.
  if (!machine.ended) return undefined;
  const value = afterSign(machine, at + 1);
  if (value === -1 || machine.frame?.kind !== 'object' || !isValueAt(machine, afterBetween(machine, value)))
    return undefined;
  const from = Math.max(token.begin, at - 100);
  const name = namePattern.exec(machine.text.slice(from, at));
  if (name === null) return undefined;
  const [, closers = '', openers = ''] = name;
  const start = from + name.index + closers.length;
  const end = trimBefore(machine, start);
  if (end <= token.begin) return undefined;
  // `[{"a": "hello}, {b": "x"}]`: the key of the next row.
  if (openers.includes('{')) return beforeKeyAt(machine, token, { at: start, opener: start }, end, 'array');
  return { end, resume: end };
}

/** Returns whether one of the innermost three containers is an object with unquoted keys. */
function hasBareKeysNear({ frames }: Machine): boolean {
  for (let level = frames.length - 1; level >= 0 && level > frames.length - 4; level -= 1)
    if (frames[level]?.kind === 'object' && frames[level]?.hasBareKeys === true) return true;
  return false;
}

// Closers, a comma or a line break, openers, and then only unquoted keys, their signs, brackets, numbers and words.
const bareMembersPattern =
  /([\]}\s]*)[,;，\n]([\s{]*)[A-Za-z_$][\w$]{0,40}\s*[:=：](?:[[\]{}\s,;，.+-]|\d|true|false|null|True|False|None|[A-Za-z_$][\w$]{0,40}\s*[:=：])*$/;
const bareReach = 200;

/** `{a: "hello, c: 1, b: "x"}`: the quote opens the value of a later unquoted key, like the earlier keys. */
export function beforeBareKeyAt(machine: Machine, token: StringToken, at: number): Settled | undefined {
  const { ended, text } = machine;
  if (!ended || !hasBareKeysNear(machine)) return undefined;
  const from = Math.max(token.begin, at - bareReach);
  const [, closers, openers = ''] = bareMembersPattern.exec(text.slice(from, at)) ?? [];
  if (closers === undefined) return undefined;
  const start = from + text.slice(from, at).search(bareMembersPattern) + closers.length;
  const end = trimBefore(machine, start);
  const kind = openers.includes('{') ? 'array' : 'object';
  return end > token.begin ? beforeKeyAt(machine, token, { at: start, opener: start }, end, kind) : undefined;
}
