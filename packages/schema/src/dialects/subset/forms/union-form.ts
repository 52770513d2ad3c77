import type { JsonSchemaObject } from '../../../json-schema.ts';
import { agree } from './agreement.ts';
import { describePart } from '../facets/describe-part.ts';
import type { Note } from '../facets/facets.ts';
import type { Effort, Form } from './form.ts';
import { looksLike, neverForm, sameForm, unfit } from './form.ts';
import type { Lowering } from './lowering.ts';

/**
 * Combines several forms. Returns `undefined` if the provider allows no further union, or if an answer could match two
 * forms with different meanings.
 */
export function unionForm(lowering: Lowering, forms: readonly Form[], note: Note): Form | undefined {
  const branches = withoutRepeats(forms.filter(({ kind }) => kind !== 'never'));
  const [first, ...others] = branches;
  if (first === undefined) return neverForm;
  if (others.length === 0) return first;
  const isClear = branches.every((one, index) => branches.slice(index + 1).every((two) => agree(one, two)));
  if (!isClear || !lowering.spend('unions', 1)) return undefined;
  const schema = { ...joinBranches(lowering, branches), ...describePart(note) };
  const isSame = branches.every((branch) => branch.isSame);
  const form: Form = {
    ...sameForm('union', schema, { branches }),
    isSame,
    raise: (answer) => (isSame ? answer : raiseByBranch(branches, answer)),
    lower: (value, effort) => lowerByBranch(form, branches, value, effort),
    stands: (value) => branches.some((branch) => branch.stands(value)),
  };
  return form;
}

/** Creates a form that also accepts null. */
export function nullableSchema(lowering: Lowering, form: Form): JsonSchemaObject {
  return joinBranches(lowering, [form, sameForm('null', { type: 'null' })]);
}

/** The schema of several forms, for positions at which the form of a value is known anyway. */
export function joinSchemas(lowering: Lowering, forms: readonly Form[]): JsonSchemaObject {
  const different = new Map(forms.map((form) => [JSON.stringify(form.schema), form]));
  const [first, ...others] = different.values();
  if (first === undefined) return {};
  return others.length === 0 ? first.schema : joinBranches(lowering, [...different.values()]);
}

function joinBranches({ rules }: Lowering, forms: readonly Form[]): JsonSchemaObject {
  const branches = forms.flatMap((form) => form.branches ?? [form]);
  const some = branches.filter(({ kind }) => kind !== 'null');
  const [only, ...others] = some;
  if (rules.nullable === 'keyword' && some.length < branches.length && only !== undefined) {
    const flagged = { ...only.schema, nullable: true };
    return others.length === 0 ? flagged : { anyOf: [flagged, ...others.map(({ schema }) => schema)] };
  }
  if (rules.nullable === 'type-list' && some.length === 1 && some.length < branches.length && only !== undefined) {
    const { type, enum: values } = only.schema;
    const isScalar = typeof type === 'string' && type !== 'object' && type !== 'array';
    const canList = values === undefined || rules.enumTypes.includes('null');
    if (isScalar && canList) {
      return { ...only.schema, type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
    }
  }
  return { anyOf: branches.map(({ schema }) => schema) };
}

function withoutRepeats(forms: readonly Form[]): readonly Form[] {
  const known = new Set<string>();
  return forms.filter((form) => {
    const text = form.isSame ? JSON.stringify(form.schema) : undefined;
    if (text === undefined) return true;
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}

function raiseByBranch(branches: readonly Form[], answer: unknown): unknown {
  const branch =
    branches.find((one) => looksLike(one, answer, 'all over')) ??
    branches.find((one) => looksLike(one, answer)) ??
    onlyOfType(branches, answer);
  return branch === undefined ? answer : branch.raise(answer);
}

/** Returns the only branch that an invalid answer can belong to. */
function onlyOfType(branches: readonly Form[], answer: unknown): Form | undefined {
  const [first, ...others] = branches.filter(({ kind }) =>
    kind === 'object' || kind === 'array' ? looksLike(sameForm(kind, {}), answer) : kind === 'reference',
  );
  return others.length === 0 ? first : undefined;
}

function lowerByBranch(form: Form, branches: readonly Form[], value: unknown, effort: Effort): unknown {
  const candidates = branches.filter((branch) => branch.stands(value));
  if (candidates.length === 1) return candidates[0]?.lower(value, effort);
  if (effort.unfit.get(form)?.has(value) === true) return unfit;
  effort.choices += 1;
  let answer: unknown = unfit;
  for (const branch of candidates) {
    effort.steps -= 1;
    if (effort.steps < 0) break;
    answer = branch.lower(value, effort);
    if (answer !== unfit) break;
  }
  effort.choices -= 1;
  if (answer === unfit) remember(effort, form, value);
  return answer;
}

function remember({ unfit: known }: Effort, form: Form, value: unknown): void {
  const values = known.get(form);
  if (values === undefined) known.set(form, new Set([value]));
  else values.add(value);
}
