// Keys in lower case, without underscores, hyphens and spaces, because models vary the spelling: `tool_name`,
// `toolName`, `Tool Name`.

const nameKeys = words(
  'name toolname functionname tool function action recipientname func funcname functioncall toolcall',
);

/** Keys that occur in other data too. They count only with the name of a declared tool. */
const weakNameKeys = words('api apiname apicall fn operation recipient method command');
const allNameKeys = [...nameKeys, ...weakNameKeys];

/** Keys that may contain the arguments of a call, in order of preference. */
const argumentKeys = [
  ...words('arguments parameters params args input'),
  ...['tool', 'function', 'action'].flatMap((word) =>
    words('input args arguments params parameters').map((key) => word + key),
  ),
  ...words('kwargs argument parameter inputs'),
];

const listKeys = words(
  'toolcalls functioncalls calls actions tooluses functions tools toolcall functioncall paralleltoolcalls',
);
const wrapperKeys = words(
  'function toolcall functioncall tooluse tool action call command response message nextaction nextstep',
);
const metaKeys = words('id callid type index');

/** Maximum depth of a call in lists and wrappers. */
export const maxCallDepth = 4;

function words(list: string): readonly string[] {
  return list.split(' ');
}

function fold(key: string): string {
  return key.replaceAll(/[\s_-]+/g, '').toLowerCase();
}

/** Returns how clearly a key identifies its value as the name of a tool: 0 is best, and -1 means not at all. */
export function nameRank(key: string): number {
  return allNameKeys.indexOf(fold(key));
}

/** Returns whether a key often contains something other than the name of a tool. */
export function isWeakNameKey(key: string): boolean {
  return weakNameKeys.includes(fold(key));
}

/** Returns how clearly a key identifies its value as the arguments: 0 is best, and -1 means not at all. */
export function argumentsRank(key: string): number {
  return argumentKeys.indexOf(fold(key));
}

/** Returns whether a key may contain the arguments of a call. */
export function isArgumentsKey(key: string): boolean {
  return argumentsRank(key) !== -1;
}

/** Returns whether a key may contain a list of calls. */
export function isListKey(key: string): boolean {
  return listKeys.includes(fold(key));
}

/** Returns whether a key may contain an object around a call. */
export function isWrapperKey(key: string): boolean {
  return wrapperKeys.includes(fold(key));
}

/** Returns whether a key contains metadata of a call instead of an argument. */
export function isMetaKey(key: string): boolean {
  return metaKeys.includes(fold(key));
}
