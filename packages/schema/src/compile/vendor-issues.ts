import type { PlacedIssue } from '../validate/find-issues.ts';
import { previewReceived } from '../preview.ts';
import type { StandardIssue } from '../libraries/standard-schema.ts';
import { formatPath } from '../value-path.ts';

/**
 * Adds issues that only the library's own schema reports, with code `custom` and the library's message. Skips issues of
 * the library at, above or below a path with a known issue, unless they come from a user's own check.
 */
export function addVendorIssues(
  value: unknown,
  found: readonly PlacedIssue[],
  vendorIssues: readonly StandardIssue[],
): PlacedIssue[] {
  const all = [...found];
  for (const vendorIssue of vendorIssues) {
    const keys = keysOfIssue(vendorIssue);
    const isOwnCheck = 'code' in vendorIssue && vendorIssue.code === 'custom';
    const isKnown = found.some((known) => (isOwnCheck ? isSame(known.keys, keys) : isRelated(known.keys, keys)));
    if (!isKnown) all.push(createCustomIssue(value, keys, vendorIssue.message));
  }
  return all;
}

function createCustomIssue(value: unknown, keys: readonly (string | number)[], message: string): PlacedIssue {
  const path = formatPath(keys);
  let at = value;
  for (const key of keys) {
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
    at = isThere ? (at as Record<string | number, unknown>)[key] : undefined;
  }
  const expected = message.replace(/\.$/, '');
  return {
    keys,
    issue: { path, code: 'custom', expected, received: previewReceived(at), message: `${path}: ${message}` },
  };
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
