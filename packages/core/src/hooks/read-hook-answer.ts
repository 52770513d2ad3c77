import { copyData } from '../dispatch/call/copy-data.ts';
import type { HookName } from './hook-set.ts';

/** The answer of a hook: a denial, other arguments, another text, or a failure. */
export type HookAnswer = { readonly deny: string } | { readonly failed: string } | { readonly value: unknown };

/** The member of each hook's answer that holds its change. */
const changes: Readonly<Record<HookName, string>> = {
  beforeCall: 'arguments',
  afterCall: 'text',
  beforeTurn: 'note',
  afterTurn: 'text',
};
const maxReason = 1_000;
const maxText = 200_000;
const maxObjects = 100_000;

/**
 * Reads the answer of a hook. Returns `undefined` if the hook allows the operation. Throws for an unclear answer,
 * because the hook may have meant a denial.
 */
export function readAnswer(hook: HookName, given: unknown): HookAnswer | undefined {
  if (given === undefined || given === null) return undefined;
  const change = changes[hook];
  const expected = `it must return undefined, { deny } or { ${change} }`;
  const answer = copyData(given, maxObjects);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw new TypeError(expected);
  const members = answer as Readonly<Record<string, unknown>>;
  const [key, ...more] = Object.keys(members);
  const value = members[key ?? ''];
  if (more.length > 0) throw new TypeError(expected);
  if (key === 'deny' && typeof value === 'string') return { deny: value.slice(0, maxReason) };
  if (key === change && change === 'arguments') return { value };
  if (key === change && typeof value === 'string' && value.length <= maxText) return { value };
  throw new TypeError(expected);
}
