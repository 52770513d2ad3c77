import type { Form } from './form.ts';

/** Whether every answer that both forms accept has the same meaning in both. Compares only shapes. */
export function agree(left: Form, right: Form): boolean {
  if ((left.isSame && right.isSame) || areDisjoint(left, right)) return true;
  if (left.kind === 'union') return left.branches?.every((branch) => agree(branch, right)) === true;
  if (right.kind === 'union') return right.branches?.every((branch) => agree(left, branch)) === true;
  if (left.items !== undefined && right.items !== undefined) return agree(left.items, right.items);
  if (left.members === undefined || right.members === undefined) return false;
  const { members: one } = left;
  const { members: two } = right;
  if (!one.isClosed || !two.isClosed) return false;
  return [...one.forms].every(([key, form]) => {
    const other = two.forms.get(key);
    return other === undefined || (one.fillable.has(key) === two.fillable.has(key) && agree(form, other));
  });
}

/** Whether no answer has the shape of both forms. Compares as deeply as `looksLike`. */
export function areDisjoint(left: Form, right: Form, depth = 0): boolean {
  if (left.kind === 'reference' || right.kind === 'reference') return false;
  if (left.kind === 'union') return left.branches?.every((branch) => areDisjoint(branch, right, depth)) === true;
  if (right.kind === 'union') return right.branches?.every((branch) => areDisjoint(left, branch, depth)) === true;
  if (typeOf(left) !== typeOf(right)) return true;
  if (left.answers !== undefined && right.answers !== undefined) {
    const answers = new Set(right.answers);
    return !left.answers.some((answer) => answers.has(answer));
  }
  if (left.members === undefined || right.members === undefined || depth > 0) return false;
  return lacks(left, right) || lacks(right, left) || haveDisjointMember(left, right);
}

function typeOf({ kind }: Form): string {
  return kind === 'text' ? 'string' : kind;
}

/** Whether one form requires a key that the other does not declare. */
function lacks({ members: left }: Form, { members: right }: Form): boolean {
  if (left === undefined || right === undefined || !right.isClosed) return false;
  return [...left.required].some((key) => !right.forms.has(key));
}

function haveDisjointMember({ members: left }: Form, { members: right }: Form): boolean {
  if (left === undefined || right === undefined) return false;
  return [...left.required].some((key) => {
    const one = left.forms.get(key);
    const two = right.forms.get(key);
    if (one === undefined || two === undefined || !right.required.has(key)) return false;
    // If null fills the key in both forms, null is an answer to both.
    const isFillable = left.fillable.has(key) && right.fillable.has(key);
    return !isFillable && !isNullOf(left, key, two) && !isNullOf(right, key, one) && areDisjoint(one, two, 1);
  });
}

function isNullOf(members: NonNullable<Form['members']>, key: string, other: Form): boolean {
  return members.fillable.has(key) && canBeNull(other);
}

/** Whether null has the shape of a form. */
export function canBeNull({ kind, branches }: Form): boolean {
  return kind === 'null' || kind === 'reference' || branches?.some(canBeNull) === true;
}
