const nameKeys = [
  'name',
  'tool_name',
  'function_name',
  'tool',
  'function',
  'action',
  'toolName',
  'functionName',
  'recipient_name',
  'func',
  'func_name',
  'function_call',
  'tool_call',
  'api',
  'api_name',
  'method',
  'command',
];

/** Keys that occur in other data too. They count only with the name of a declared tool. */
const weakNameKeys = nameKeys.slice(-4);

/** Keys that may contain the arguments of a call, in order of preference. */
export const argumentKeys: readonly string[] = [
  'arguments',
  'parameters',
  'params',
  'args',
  'input',
  ...['tool', 'function', 'action'].flatMap((word) =>
    ['input', 'args', 'arguments', 'params', 'parameters'].map((key) => `${word}_${key}`),
  ),
  'toolInput',
  'toolArgs',
  'kwargs',
  'argument',
  'parameter',
  'inputs',
];

const listKeys = [
  'tool_calls',
  'toolCalls',
  'function_calls',
  'calls',
  'actions',
  'tool_uses',
  'functions',
  'tools',
  'tool_call',
  'function_call',
  'parallel_tool_calls',
];
const wrapperKeys = [
  'function',
  'tool_call',
  'toolCall',
  'function_call',
  'functionCall',
  'tool_use',
  'toolUse',
  'tool',
  'action',
  'call',
  'command',
];
const metaKeys = ['id', 'call_id', 'type', 'index'];

/** Maximum depth of a call in lists and wrappers. */
export const maxCallDepth = 4;

/** Returns how clearly a key identifies its value as the name of a tool: 0 is best, and -1 means not at all. */
export function nameRank(key: string): number {
  return nameKeys.indexOf(key.trim());
}

/** Returns whether a key often contains something other than the name of a tool. */
export function isWeakNameKey(key: string): boolean {
  return weakNameKeys.includes(key.trim());
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
