const NAME_KEYS = [
  'name',
  'tool_name',
  'function_name',
  'tool',
  'function',
  'action',
  'toolName',
  'func',
  'function_call',
  'tool_call',
];
/** Keys that the arguments of a call stand under, the best first. */
export const argumentKeys: readonly string[] = [
  'arguments',
  'parameters',
  'params',
  'args',
  'input',
  'tool_input',
  'action_input',
  'kwargs',
];
const LIST_KEYS = ['tool_calls', 'calls'];
const WRAPPER_KEYS = ['function', 'tool_call', 'function_call'];
const META_KEYS = ['id', 'call_id', 'type', 'index'];

/** How deep in lists and wrappers a call may stand. */
export const DEEPEST_CALL = 4;

/** How well a key says that its value is the name of a tool: the least is best, and -1 says that it does not. */
export function nameRank(key: string): number {
  return NAME_KEYS.indexOf(key);
}

/** Whether the arguments of a call may stand under a key. */
export function isArgumentsKey(key: string): boolean {
  return argumentKeys.includes(key);
}

/** Whether a list of calls may stand under a key. */
export function isListKey(key: string): boolean {
  return LIST_KEYS.includes(key);
}

/** Whether an object around a call may stand under a key. */
export function isWrapperKey(key: string): boolean {
  return WRAPPER_KEYS.includes(key);
}

/** Whether a key tells of a call what is no argument of it. */
export function isMetaKey(key: string): boolean {
  return META_KEYS.includes(key);
}
