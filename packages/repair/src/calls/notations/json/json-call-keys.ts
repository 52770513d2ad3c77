// Keys in lower case, without underscores, hyphens and spaces, because models vary the spelling: `tool_name`,
// `toolName`, `Tool Name`.

// These occur in other data too. They count only with the name of a declared tool.
const weakName = words('api apiname apicall fn operation recipient method command commandname');

type KeyRole = 'name' | 'weakName' | 'arguments' | 'list' | 'wrapper' | 'meta';

/** The keys of calls by what they may contain, in order of preference. */
const keys: Readonly<Record<KeyRole, readonly string[]>> = {
  name: [
    ...words(
      'name toolname nexttoolname functionname tool function action recipientname func funcname functioncall toolcall',
    ),
    ...weakName,
  ],
  weakName,
  arguments: [
    ...words('arguments parameters params args input'),
    ...['tool', 'function', 'action'].flatMap((word) =>
      words('input args arguments params parameters').map((key) => word + key),
    ),
    ...words('kwargs argument parameter inputs nexttoolargs'),
  ],
  list: words(
    'toolcalls functioncalls calls actions action function actionsequence tooluses functions tools toolcall functioncall paralleltoolcalls',
  ),
  wrapper: words(
    'function toolcall functioncall tooluse tool action call command response message nextaction nextstep',
  ),
  meta: words('id callid toolcallid requestid type index role status'),
};

/** Maximum depth of a call in lists and wrappers. */
export const maxCallDepth = 4;

function words(list: string): readonly string[] {
  return list.split(' ');
}

/** Returns how clearly a key identifies its value: 0 is best, and -1 means not at all. */
export function keyRank(role: KeyRole, key: string): number {
  return keys[role].indexOf(key.replaceAll(/[\s_-]+/g, '').toLowerCase());
}

/** Returns whether a key may contain a name, arguments, a list of calls, an object around a call, or metadata. */
export function isKeyOf(role: KeyRole, key: string): boolean {
  return keyRank(role, key) !== -1;
}
