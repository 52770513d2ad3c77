const nameKeys = [
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

const listKeys = ['tool_calls', 'calls'];
const wrapperKeys = ['function', 'tool_call', 'function_call'];
const metaKeys = ['id', 'call_id', 'type', 'index'];

/** How deep in lists and wrappers a call may stand. */
export const maxCallDepth = 4;

/** How well a key says that its value is the name of a tool: the least is best, and -1 says that it does not. */
export function nameRank(key: string): number {
  return nameKeys.indexOf(key);
}

/** Whether the arguments of a call may stand under a key. */
export function isArgumentsKey(key: string): boolean {
  return argumentKeys.includes(key);
}

/** Whether a list of calls may stand under a key. */
export function isListKey(key: string): boolean {
  return listKeys.includes(key);
}

/** Whether an object around a call may stand under a key. */
export function isWrapperKey(key: string): boolean {
  return wrapperKeys.includes(key);
}

/** Whether a key tells of a call what is no argument of it. */
export function isMetaKey(key: string): boolean {
  return metaKeys.includes(key);
}
