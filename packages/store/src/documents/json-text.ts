import { StoreError } from '../store-error.ts';

/** How deep lists and objects may be nested in a document. */
export const maxDepth = 100;

/**
 * Writes a value as JSON, refusing what JSON would change or drop without a word: NaN, dates, maps, bigints, functions,
 * class instances, holes in lists. A property that is `undefined` counts as absent.
 */
export function toJsonText(value: unknown, maxBytes: number): string {
  checkJson(value, '$', 0, { left: maxBytes, maxBytes });
  const text = JSON.stringify(value);
  // A text of so few units can't take more bytes; others are counted.
  if (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes) throw tooLarge(maxBytes);
  return text;
}

/** What shared branches count each time they are met, so that a small graph can't take for ever. */
interface Budget {
  left: number;
  readonly maxBytes: number;
}

function checkJson(value: unknown, path: string, depth: number, budget: Budget): void {
  budget.left -= 1;
  if (budget.left < 0) throw tooLarge(budget.maxBytes);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) throw notJson(path, String(value));
      return;
    case 'object':
      break;
    default:
      throw notJson(path, `a ${typeof value}`);
  }
  if (value === null) return;
  if (depth >= maxDepth) {
    throw new StoreError('DOCUMENT_TOO_LARGE', `the value is nested deeper than ${maxDepth} levels, or holds itself`);
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (item === undefined) throw notJson(`${path}[${index}]`, 'undefined');
      checkJson(item, `${path}[${index}]`, depth + 1, budget);
    }
    return;
  }
  if (!isPlainObject(value)) throw notJson(path, `an instance of ${nameOfClass(value)}`);
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) checkJson(member, `${path}.${name}`, depth + 1, budget);
  }
}

/** Plain objects of other realms have another `Object.prototype`, which in turn has none. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOfClass(value: object): string {
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  return typeof constructor?.name === 'string' && constructor.name !== '' ? constructor.name : 'a class';
}

function notJson(path: string, what: string): StoreError {
  const message = `JSON has no form for ${what}`;
  return new StoreError('INVALID_DOCUMENT', `the value can't be stored: ${message} (at ${path})`, {
    issues: [{ path, message }],
  });
}

function tooLarge(maxBytes: number): StoreError {
  return new StoreError('DOCUMENT_TOO_LARGE', `the value takes more than ${maxBytes} bytes as JSON`);
}
