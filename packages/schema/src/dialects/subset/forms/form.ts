import type { JsonSchemaObject } from '../../../json-schema.ts';
import { isRecord, jsonTypeOf } from '../../../json-value.ts';

/** Stands for a value of the original schema that the form does not accept. */
export const unfit: unique symbol = Symbol('unfit');

/** Budget for one value, because values come from models and unions can be tried in many ways. */
export interface Effort {
  /** Remaining steps. */
  steps: number;
  /** Number of unions around the current value. Inside a union, a nested value must fit its form completely. */
  choices: number;
  /** Unions that are known to refuse a nested value. */
  readonly unfit: Map<Form, Set<unknown>>;
}

/** Creates the budget for one value. */
export function createEffort(): Effort {
  return { steps: 100_000, choices: 0, unfit: new Map() };
}

/** A converted schema, with conversions between its answers and values of the original. */
export interface Form {
  /** `text`: a string that contains JSON. `reference`: a form that refers to itself. */
  readonly kind:
    | 'string'
    | 'text'
    | 'number'
    | 'boolean'
    | 'null'
    | 'array'
    | 'object'
    | 'union'
    | 'reference'
    | 'never';
  readonly schema: JsonSchemaObject;
  /** Whether answers equal values. */
  readonly isSame: boolean;
  /** Converts an answer into a value. Other input stays unchanged. */
  raise(answer: unknown): unknown;
  /** Converts a value into an answer, or returns `unfit`. */
  lower(value: unknown, effort: Effort): unknown;
  /** Checks quickly whether a value of the original may belong to this form. */
  stands(value: unknown): boolean;
  /** The only possible answers, if they are listed. */
  readonly answers?: readonly unknown[];
  readonly branches?: readonly Form[];
  /** Whether a value of the right type is within the limits of the original. Absent if there are no limits. */
  readonly fits?: (value: unknown) => boolean;
  readonly items?: Form;
  readonly members?: Members;
}

/** The keys of an object's answers. */
export interface Members {
  readonly forms: ReadonlyMap<string, Form>;
  /** Keys that every answer has. */
  readonly required: ReadonlySet<string>;
  /** Keys for which null means "absent". */
  readonly fillable: ReadonlySet<string>;
  readonly isClosed: boolean;
}

/** Creates a form whose answers equal the values. */
export function sameForm(
  kind: Form['kind'],
  schema: JsonSchemaObject,
  more: Pick<Form, 'answers' | 'items' | 'members' | 'branches' | 'fits'> = {},
): Form {
  const form: Form = {
    kind,
    schema,
    isSame: true,
    ...more,
    raise: (answer) => answer,
    lower(value, { choices }) {
      const isFitting = choices > 0 ? looksLike(form, value, 'all over') : form.stands(value);
      return isFitting ? value : unfit;
    },
    stands: (value) => looksLike(form, value),
  };
  return form;
}

/** A form that accepts no value. */
export const neverForm: Form = { ...sameForm('never', {}), stands: () => false };

/**
 * Whether an answer has the shape of a form, judging by its type, listed answers and keys. `from outside` compares only
 * the types of its keys, `all over` every item and limit.
 */
export function looksLike(form: Form, answer: unknown, look: 'from outside' | 'all over' = 'from outside'): boolean {
  return looksLikeAt(form, answer, look === 'all over' ? Infinity : 1, 0);
}

function looksLikeAt(form: Form, answer: unknown, deepest: number, depth: number): boolean {
  const { kind, branches, answers, members, items } = form;
  if (kind === 'reference') return true;
  if (kind === 'union') return branches?.some((branch) => looksLikeAt(branch, answer, deepest, depth)) === true;
  if (jsonTypeOf(answer) !== (kind === 'text' ? 'string' : kind)) return false;
  if (answers !== undefined && !answers.includes(answer)) return false;
  if (deepest === Infinity && form.fits?.(answer) === false) return false;
  if (items !== undefined && deepest === Infinity && Array.isArray(answer)) {
    return answer.every((item) => looksLikeAt(items, item, deepest, depth + 1));
  }
  if (members === undefined || depth >= deepest || !isRecord(answer)) return true;
  for (const key of members.required) if (!Object.hasOwn(answer, key)) return false;
  return Object.keys(answer).every((key) => {
    const member = members.forms.get(key);
    if (member === undefined) return !members.isClosed;
    return (answer[key] === null && members.fillable.has(key)) || looksLikeAt(member, answer[key], deepest, depth + 1);
  });
}
