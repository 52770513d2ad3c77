import { StoreError } from '../store-error.ts';

/** Maximum nesting depth of arrays and objects in a document. */
export const maxDepth = 100;

/**
 * Serializes a value as JSON. Throws for values that JSON would silently change or drop: NaN, dates, maps, bigints,
 * functions, class instances, holes in arrays. A property with the value `undefined` counts as absent.
 */
export function toJsonText(value: unknown, maxBytes: number): string {
  checkJson(value, '$', 0, { left: maxBytes, maxBytes });
  const text = JSON.stringify(value);
  // A code unit takes at most three bytes, so short texts need no exact count.
  if (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes) throw tooLarge(maxBytes);
  return text;
}

/** Limits the number of visited values. Shared branches count every time, so a small graph cannot take forever. */
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
    throw new StoreError('DOCUMENT_TOO_LARGE', `the value is nested deeper than ${maxDepth} levels or contains itself`);
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

/** Plain objects of other realms have a different `Object.prototype`, whose own prototype is null. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOfClass(value: object): string {
  const { constructor } = value as { readonly constructor?: { readonly name?: unknown } };
  return typeof constructor?.name === 'string' && constructor.name !== '' ? constructor.name : 'a class';
}

function notJson(path: string, what: string): StoreError {
  const message = `JSON cannot represent ${what}`;
  return new StoreError('INVALID_DOCUMENT', `the value cannot be stored: ${message} (at ${path})`, {
    issues: [{ path, message }],
  });
}

function tooLarge(maxBytes: number): StoreError {
  return new StoreError('DOCUMENT_TOO_LARGE', `the value is larger than ${maxBytes} bytes as JSON`);
}
