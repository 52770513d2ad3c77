import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { checkOption } from './check-options.ts';

/**
 * Refuses places for notes, and ways to a person, that can't be used.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkNotes(owner: string, { todos, plans, ask }: BuiltinDependencies): void {
  const isTodoBoard = todos === undefined || (typeof todos?.list === 'function' && typeof todos.update === 'function');
  checkOption(owner, 'todos', isTodoBoard, 'one that createTodoBoard() made', todos);
  const isPlanBoard = plans === undefined || (typeof plans?.read === 'function' && typeof plans.update === 'function');
  checkOption(owner, 'plans', isPlanBoard, 'one that createPlanBoard() made', plans);
  checkOption(owner, 'ask', ask === undefined || typeof ask === 'function', 'a function', ask);
}
