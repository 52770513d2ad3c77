import { DEEPEST_CALL, isArgumentsKey, isListKey, isWrapperKey, nameRank } from './call-keys.ts';
import type { ArgumentsWatch, CallWatch } from '../../source/call-watch.ts';
import type { JsonObserver } from '../../source/json-scanner.ts';

/** Follows JSON while it is scanned, for whoever wants to see the arguments in it. */
export interface JsonFollower {
  readonly observer: JsonObserver | undefined;
  /** Whether a call with its name and its arguments has been seen. */
  readonly hasSeenCall: boolean;
  /** Calls that name a tool twice, or give their arguments twice: nobody knows which is meant. */
  readonly ambiguous: ReadonlySet<string>;
  /** Takes each piece after it has been scanned. It begins at an offset. */
  readonly show: (piece: string, offset: number) => void;
}

/** Follows JSON that is the arguments of a call whose name is known. */
export function followArguments(begun: ArgumentsWatch | undefined): JsonFollower {
  const show = begun === undefined ? () => {} : begun.json;
  return { observer: undefined, hasSeenCall: false, ambiguous: new Set(), show };
}

/** Follows nothing: where damage shows at once, no call is certain before its end. */
export const nobodyFollows: JsonFollower = {
  observer: undefined,
  hasSeenCall: false,
  ambiguous: new Set(),
  show: () => {},
};

interface Holder {
  readonly kind: 'holder';
  readonly path: string;
  readonly depth: number;
  readonly keys: Set<string>;
  key: string;
  name: string | undefined;
  rank: number;
  hasArguments: boolean;
  /** The arguments, once they are an object. */
  shown: Shown | undefined;
  decided: 'flat' | 'inner' | undefined;
}

interface List {
  readonly kind: 'list';
  readonly path: string;
  readonly depth: number;
  /** How many containers it has held. */
  count: number;
}

/** Arguments to be shown, as far as they have come. */
interface Shown {
  readonly path: string;
  readonly start: number;
  end: number;
  name: string | undefined;
  watch: ArgumentsWatch | undefined;
  waiting: string;
}

/**
 * Makes a follower of one value; `path` is how the calls of this value are named. It finds the very calls that
 * `callsOf` finds in the whole value, except those that only the end of their object shows to be calls.
 */
export function followCalls(watch: CallWatch, path: string): JsonFollower {
  const open: (Holder | List | Shown | undefined)[] = [];
  const ambiguous = new Set<string>();
  const due: Shown[] = [];
  let hasSeenCall = false;

  const holderAt = (at: string, depth: number): Holder => ({
    kind: 'holder',
    path: at,
    depth,
    keys: new Set(),
    key: '',
    name: undefined,
    rank: Number.POSITIVE_INFINITY,
    hasArguments: false,
    shown: undefined,
    decided: undefined,
  });
  const placeOf = (kind: 'object' | 'array', at: string, depth: number): Holder | List | undefined => {
    if (depth > DEEPEST_CALL) return undefined;
    return kind === 'object' ? holderAt(at, depth) : { kind: 'list', path: at, depth, count: 0 };
  };
  const inHolder = (holder: Holder, kind: 'object' | 'array', at: number): Holder | List | Shown | undefined => {
    const { key } = holder;
    if (holder.decided === 'inner') return undefined;
    if (isArgumentsKey(key)) {
      holder.hasArguments = true;
      if (kind === 'array' || holder.shown !== undefined) return undefined;
      holder.shown = { path: holder.path, start: at, end: -1, name: undefined, watch: undefined, waiting: '' };
      if (watch.isOn) due.push(holder.shown);
      decide(holder);
      return holder.shown;
    }
    const isInner =
      holder.decided === undefined &&
      (kind === 'array' ? isListKey(key) : isWrapperKey(key) && holder.name === undefined);
    if (!isInner) return undefined;
    holder.decided = 'inner';
    return placeOf(kind, `${holder.path}/${key}`, holder.depth + 1);
  };
  const decide = (holder: Holder): void => {
    if (holder.name === undefined || !holder.hasArguments || holder.decided === 'inner') return;
    holder.decided = 'flat';
    hasSeenCall = true;
    if (holder.shown !== undefined) holder.shown.name = holder.name;
  };
  /** A call without an object of arguments is a call as well, which its end shows. */
  const finish = (holder: Holder): void => {
    const isCall = holder.name !== undefined && holder.decided !== 'inner';
    if (holder.shown !== undefined && !isCall) holder.shown.watch = nothing;
    if (holder.shown !== undefined || !isCall || !holder.hasArguments || !watch.isOn) return;
    due.push({ path: holder.path, start: 0, end: 0, name: holder.name, watch: undefined, waiting: '' });
  };

  const observer: JsonObserver = {
    open: (kind, at) => {
      const parent = open.at(-1);
      let place: Holder | List | Shown | undefined;
      if (parent === undefined) place = placeOf(kind, path, 0);
      else if ('start' in parent) place = undefined;
      else if (parent.kind === 'holder') place = inHolder(parent, kind, at);
      else {
        place = placeOf(kind, `${parent.path}/${parent.count}`, parent.depth + 1);
        parent.count += 1;
      }
      open.push(place);
      return place !== undefined && !('start' in place);
    },
    close: (at) => {
      const closed = open.pop();
      if (closed === undefined) return;
      if ('start' in closed) closed.end = at;
      else if (closed.kind === 'holder') finish(closed);
    },
    key: (key) => {
      const holder = open.at(-1);
      if (holder === undefined || 'start' in holder || holder.kind !== 'holder') return;
      holder.key = key;
      if (nameRank(key) === -1 && !isArgumentsKey(key)) return;
      if (holder.keys.has(key)) ambiguous.add(holder.path);
      holder.keys.add(key);
    },
    string: (value) => {
      const holder = open.at(-1);
      if (holder === undefined || 'start' in holder || holder.kind !== 'holder') return;
      const rank = nameRank(holder.key);
      if (rank !== -1 && (holder.hasArguments ? holder.name === undefined : rank < holder.rank)) {
        holder.name = value;
        holder.rank = rank;
      }
      if (isArgumentsKey(holder.key)) holder.hasArguments = true;
      decide(holder);
    },
  };
  return {
    observer,
    get hasSeenCall() {
      return hasSeenCall;
    },
    ambiguous,
    show: (piece, offset) => {
      const end = offset + piece.length;
      let left = 0;
      for (const one of due) {
        const from = Math.max(one.start, offset);
        const to = one.end === -1 ? end : Math.min(one.end, end);
        one.waiting += from < to ? piece.slice(from - offset, to - offset) : '';
        if (one.name !== undefined && one.watch === undefined) one.watch = watch.begin(one.path, one.name) ?? nothing;
        if (one.watch !== undefined && one.waiting !== '') {
          one.watch.json(one.waiting);
          one.waiting = '';
        }
        // Arguments that have ended may still wait for their name.
        if (one.end === -1 || one.watch === undefined) due[left++] = one;
      }
      due.length = left;
    },
  };
}

const nothing: ArgumentsWatch = {
  json: () => {},
  code: () => {},
  beginText: () => {},
  text: () => {},
  member: () => {},
};
