import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';

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

/** Determines from the members of an object, in their order, which call the object is, or which member contains calls. */
export class CallMembers {
  /** The best key with a text before the arguments, or otherwise the first one after them. */
  nameKey: string | undefined;
  name: string | undefined;
  /** The first suitable key with an object, or otherwise the best one. */
  argumentsKey: string | undefined;
  /** The key of the call or of the list of calls inside the object. */
  innerKey: string | undefined;
  private nameRank = Infinity;
  private argumentsRank = Infinity;

  /** Adds the next member. Of a list or an object, only the type matters. */
  add(key: string, value: JsonValue | undefined): void {
    const nameRank = keyRank('name', key);
    const isBetter = this.argumentsKey === undefined ? nameRank < this.nameRank : this.nameKey === undefined;
    if (nameRank !== -1 && typeof value === 'string' && isBetter) {
      this.nameKey = key;
      this.name = value;
      this.nameRank = nameRank;
    }
    const suitability = keyRank('arguments', key);
    const argumentsRank = suitability !== -1 && isJsonObject(value) ? -1 : suitability;
    if (suitability !== -1 && argumentsRank < this.argumentsRank) {
      this.argumentsKey = key;
      this.argumentsRank = argumentsRank;
    }
    if (this.isCall || this.innerKey !== undefined) return;
    const isWrapper = isJsonObject(value) && this.nameKey === undefined && isKeyOf('wrapper', key);
    if (isWrapper || (Array.isArray(value) && isKeyOf('list', key))) this.innerKey = key;
  }

  /** Whether the object has a name and arguments, and no call is inside it. */
  get isCall(): boolean {
    return this.nameKey !== undefined && this.argumentsKey !== undefined && this.innerKey === undefined;
  }
}
