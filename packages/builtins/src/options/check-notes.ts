import type { BuiltinDependencies } from './builtin-dependencies.ts';
import { checkNames, checkOption } from '../option-values.ts';
import { memoryScopes, scopesOf, type MemoryPlaces } from '../notes/memory-places.ts';

/**
 * Refuses places for notes, and ways to a person, that can't be used.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkNotes(owner: string, { todos, plans, ask, memory, skills }: BuiltinDependencies): void {
  const isTodoBoard = todos === undefined || (typeof todos?.list === 'function' && typeof todos.update === 'function');
  checkOption(owner, 'todos', isTodoBoard, 'one that createTodoBoard() made', todos);
  const isPlanBoard = plans === undefined || (typeof plans?.read === 'function' && typeof plans.update === 'function');
  checkOption(owner, 'plans', isPlanBoard, 'one that createPlanBoard() made', plans);
  if (memory !== undefined) checkMemory(owner, memory);
  const isLibrary = skills === undefined || Array.isArray(skills?.skills);
  checkOption(owner, 'skills', isLibrary, 'what loadSkills({ directories }) resolves to', skills);
  checkOption(owner, 'ask', ask === undefined || typeof ask === 'function', 'a function', ask);
}

/**
 * Refuses places for memories that can't be used.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkMemory(owner: string, memory: MemoryPlaces | undefined): void {
  const expected = 'an object with a place for session, project or global';
  checkOption(owner, 'memory', typeof memory === 'object' && memory !== null, expected, memory);
  checkNames(`${owner}, memory`, memory!, memoryScopes);
  checkOption(owner, 'memory', scopesOf(memory!).length > 0, expected, memory);
  for (const scope of scopesOf(memory!)) {
    const place = memory![scope];
    const isPlace = typeof place?.update === 'function' && typeof place.list === 'function';
    checkOption(owner, `memory.${scope}`, isPlace, 'a collection such as @haft/store makes', place);
  }
}
