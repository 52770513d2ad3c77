import type { JsonSchemaObject } from '../../../json-schema.ts';
import { isRecord, jsonTypeOf } from '../../../json-value.ts';

/** Says that a value of the original is none of those a form stands for. */
export const unfit: unique symbol = Symbol('unfit');

/** What has been tried for one value: values come from models, and unions can be tried in many ways. */
export interface Effort {
  /** Steps that may still be taken. */
  steps: number;
  /** How many unions are being decided; inside them, a part has to fit its form to the last key. */
  choices: number;
  /** Unions that do not take a part. */
  readonly unfit: Map<Form, Set<unknown>>;
}

/** The effort that one value is worth. */
export function createEffort(): Effort {
  return { steps: 100_000, choices: 0, unfit: new Map() };
}

/** A lowered part: its schema, and the way between its answers and values of the original. */
export interface Form {
  /** `text` is a string that holds JSON; `reference` leads to a form that refers to itself. */
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
  /** Whether answers and values are the same. */
  readonly isSame: boolean;
  /** An answer as a value; what is no such answer stays as it is. */
  raise(answer: unknown): unknown;
  /** A value as an answer, or `unfit`. */
  lower(value: unknown, effort: Effort): unknown;
  /** Whether a value of the original can be meant for this form, told without looking far into it. */
  stands(value: unknown): boolean;
  /** The only answers there are, where these are listed. */
  readonly answers?: readonly unknown[];
  readonly branches?: readonly Form[];
  /** Whether a value of the right type is within the limits of the original; without it, every one is. */
  readonly fits?: (value: unknown) => boolean;
  readonly items?: Form;
  readonly members?: Members;
}

/** The keys of an object's answers. */
export interface Members {
  readonly forms: ReadonlyMap<string, Form>;
  /** Keys that every answer has. */
  readonly required: ReadonlySet<string>;
  /** Keys for which null stands for nothing. */
  readonly fillable: ReadonlySet<string>;
  readonly isClosed: boolean;
}

/** A form whose answers are the values themselves. */
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

/** What nothing fits. */
export const neverForm: Form = { ...sameForm('never', {}), stands: () => false };

/**
 * Whether an answer has the shape of a form, as far as its type, its listed answers and its keys tell. From outside, one
 * looks no further than to the types of its keys; all over, to the last item, and to limits.
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
