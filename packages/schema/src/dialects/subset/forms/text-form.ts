import { canonicalJson } from '../../../values/canonical-json.ts';
import { parseExactly } from '../../../values/json-in-text.ts';
import type { JsonSchemaObject } from '../../../json-schema.ts';
import type { Form } from './form.ts';
import { unfit } from './form.ts';

/**
 * A string that contains JSON, for values that the provider's subset cannot describe. A string that is not JSON, or
 * whose numbers would be rounded, is taken literally.
 */
export function textForm(words: JsonSchemaObject, stands: (value: unknown) => boolean): Form {
  return {
    kind: 'text',
    schema: { type: 'string', ...words },
    isSame: false,
    raise: parseText,
    lower: (value) => (stands(value) ? writeText(value) : unfit),
    stands,
  };
}

/** A string that is one of several JSON texts. */
export function listedTextForm(words: JsonSchemaObject, values: readonly unknown[]): Form {
  const texts = new Map(values.map((value) => [canonicalJson(value), JSON.stringify(value)]));
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
  const answers = [...texts.values()];
  const form: Form = {
    kind: 'text',
    schema: { type: 'string', enum: answers, ...words },
    isSame: false,
    answers,
    raise: (answer) => (typeof answer === 'string' && byText.has(answer) ? byText.get(answer) : answer),
    lower: (value) => texts.get(canonicalJson(value)) ?? unfit,
    stands: (value) => texts.has(canonicalJson(value)),
  };
  return form;
}

function parseText(answer: unknown): unknown {
  const value = typeof answer === 'string' ? parseExactly(answer) : undefined;
  return value === undefined ? answer : value;
}

function writeText(value: unknown): unknown {
  try {
    return JSON.stringify(value) ?? unfit;
  } catch {
    return unfit;
  }
}
