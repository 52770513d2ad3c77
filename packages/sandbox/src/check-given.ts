/**
 * Refuses what is no text where a text has to be, and says which, what was expected and what came instead.
 *
 * @throws TypeError
 */
export function checkText(what: string, value: unknown, example: string): void {
  if (typeof value === 'string') return;
  throw new TypeError(`${what} must be a string such as ${JSON.stringify(example)}, not ${describeGiven(value)}`);
}

/**
 * Refuses roots that are neither a list of strings nor `'unrestricted'`: a single path in their place would be taken apart.
 *
 * @throws TypeError
 */
export function checkRoots(roots: unknown): void {
  if (roots === 'unrestricted') return;
  if (!Array.isArray(roots))
    throw new TypeError(`roots must be a list of absolute paths or 'unrestricted', not ${describeGiven(roots)}`);
  for (const root of roots) checkText('each of the roots', root, '/project');
}

/** What came, in a few words; never its members. */
export function describeGiven(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return `${value}`;
  if (typeof value === 'string') return value.length > 60 ? 'another string' : JSON.stringify(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
