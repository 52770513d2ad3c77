const nameKeys = [
  'name',
  'tool_name',
  'function_name',
  'tool',
  'function',
  'action',
  'toolName',
  'recipient_name',
  'func',
  'function_call',
  'tool_call',
];

/** Keys that may contain the arguments of a call, in order of preference. */
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

const listKeys = ['tool_calls', 'toolCalls', 'function_calls', 'calls', 'actions', 'tool_uses'];
const wrapperKeys = ['function', 'tool_call', 'toolCall', 'function_call', 'functionCall', 'tool_use', 'toolUse'];
const metaKeys = ['id', 'call_id', 'type', 'index'];

/** Maximum depth of a call in lists and wrappers. */
export const maxCallDepth = 4;

/** Returns how well a key identifies its value as the name of a tool. Smaller is better, and -1 means not at all. */
export function nameRank(key: string): number {
  return nameKeys.indexOf(key.trim());
}

/** Returns whether a key may contain the arguments of a call. */
export function isArgumentsKey(key: string): boolean {
  return argumentKeys.includes(key.trim());
}

/** Returns whether a key may contain a list of calls. */
export function isListKey(key: string): boolean {
  return listKeys.includes(key.trim());
}

/** Returns whether a key may contain an object around a call. */
export function isWrapperKey(key: string): boolean {
  return wrapperKeys.includes(key.trim());
}

/** Returns whether a key contains metadata of a call instead of an argument. */
export function isMetaKey(key: string): boolean {
  return metaKeys.includes(key.trim());
}
