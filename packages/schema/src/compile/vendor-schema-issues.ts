import type { PlacedIssue } from '../validate/find-issues.ts';
import { previewReceived } from '../preview.ts';
import type { StandardIssue } from '../libraries/standard-schema.ts';
import { isRecord } from '../json-value.ts';
import { formatPath } from '../value-path.ts';

/**
 * Adds issues that only the library's own schema reports, with code `custom` and the library's message. Skips issues of
 * the library at, above or below a path with a known issue, unless they come from a user's own check. A message that
 * the user wrote into a zod schema replaces the expectation of the known issue at its path.
 */
export function addVendorIssues(
  value: unknown,
  found: readonly PlacedIssue[],
  vendorIssues: readonly StandardIssue[],
  isZod: boolean,
): PlacedIssue[] {
  const all = [...found];
  for (const vendorIssue of vendorIssues) {
    const keys = keysOfIssue(vendorIssue);
    const isOwnCheck = 'code' in vendorIssue && vendorIssue.code === 'custom';
    const known = found.find((one) => (isOwnCheck ? isSame(one.keys, keys) : isRelated(one.keys, keys)));
    if (known === undefined) {
      all.push(createCustomIssue(value, keys, vendorIssue.message, isZod && isOwnCheck));
    } else if (isZod && isSame(known.keys, keys) && isOwnMessage(vendorIssue.message)) {
      const expected = withoutPeriod(vendorIssue.message);
      const message = `${known.issue.path}: ${vendorIssue.message}`;
      all[all.findIndex((one) => one.keys === known.keys)] = { keys, issue: { ...known.issue, expected, message } };
    }
  }
  return all;
}

/** Zod's default messages, which say less than Haft's issues. */
const libraryMessage = new RegExp(
  [
    '(Required|Invalid)',
    'Invalid input.*',
    'Invalid (option|string|number|literal value|enum value|discriminator value)[:.,] .*',
    'Invalid ((key|value|element|entry) in .*|(function )?arguments|return type|union.*|date|intersection.*)',
    'Invalid (email( address)?|url|emoji|(nano|gu|uu|u|cu|ul|x|ksu)id2?(v\\d)?|iso \\w+|datetime|time|duration|jwt|regex|ip)',
    'Invalid (ipv\\d (address|range)|mac address|cidr|base64(url)?(-encoded string)?|json string|e\\.164 number)',
    'Too (small|big): .*',
    'Unrecognized keys?.*',
    'Expected .+, received .*',
    '(String|Number|Array|Set|Date|BigInt) must .*',
    'Input not instance of .*',
  ]
    .map((pattern) => `^${pattern}$`)
    .join('|'),
  'is',
);

/** Whether a user wrote the message. */
function isOwnMessage(message: string): boolean {
  return message !== '' && !libraryMessage.test(message);
}

function withoutPeriod(message: string): string {
  return message.replace(/\.$/, '');
}

function createCustomIssue(
  value: unknown,
  keys: readonly (string | number)[],
  given: string,
  isRefinement: boolean,
): PlacedIssue {
  const path = formatPath(keys);
  const message = isRefinement && given === unnamed ? 'a value that passes the check of the schema' : given;
  const received = describeCompared(value, keys, message) ?? previewReceived(partAt(value, keys));
  return {
    keys,
    issue: { path, code: 'custom', expected: withoutPeriod(message), received, message: `${path}: ${message}` },
  };
}

/** Zod's message for a refinement without one. */
const unnamed = 'Invalid input';

function partAt(value: unknown, keys: readonly (string | number)[]): unknown {
  let at = value;
  for (const key of keys) {
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
    at = isThere ? (at as Record<string | number, unknown>)[key] : undefined;
  }
  return at;
}

const maxCompared = 4;

/**
 * Describes the values that a refinement compares: the values of the keys that its message names, in its object or
 * beside its path. If the message names no key, all values of a small object. Returns undefined for a single value.
 */
function describeCompared(value: unknown, keys: readonly (string | number)[], message: string): string | undefined {
  const part = partAt(value, keys);
  const owner = isRecord(part) ? part : partAt(value, keys.slice(0, -1));
  if (!isRecord(owner)) return undefined;
  const words = new Set(message.match(/[\p{L}\p{N}_$]+/gu));
  const own = owner === part ? [] : [String(keys.at(-1))];
  const named = Object.keys(owner).filter((key) => words.has(key) && !own.includes(key));
  const all = named.length === 0 && owner === part ? Object.keys(owner) : [];
  const compared = [...own, ...(all.length <= maxCompared ? all : []), ...named].slice(0, maxCompared);
  if (compared.length < 2) return undefined;
  return compared.map((key) => `${key} ${previewReceived(owner[key])}`).join(', ');
}

function keysOfIssue(issue: StandardIssue): (string | number)[] {
  return (issue.path ?? []).map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'number' ? key : String(key);
  });
}

function isRelated(left: readonly (string | number)[], right: readonly (string | number)[]): boolean {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) if (String(left[index]) !== String(right[index])) return false;
  return true;
}

function isSame(left: readonly (string | number)[], right: readonly (string | number)[]): boolean {
  return left.length === right.length && isRelated(left, right);
}
