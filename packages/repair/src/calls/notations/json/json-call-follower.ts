import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import type { JsonObserver } from '../../source/json-scanner.ts';
import { isKeyOf, keyRank, maxCallDepth } from './json-call-keys.ts';

const ignore = (): void => {};

/** A container that may contain calls: an object with a name and arguments, or a list or object around such objects. */
interface Place {
  readonly isList: boolean;
  readonly depth: number;
  readonly keys: Set<string>;
  key: string;
  name: string | undefined;
  rank: number;
  hasArguments: boolean;
  isWrapper: boolean;
  shown: ShownArguments | undefined;
}

const empty = { key: '', name: undefined, rank: Infinity, hasArguments: false, isWrapper: false, shown: undefined };

/** The arguments of a call received so far. */
interface ShownArguments {
  readonly start: number;
  end: number;
  name: string | undefined;
  /** Undefined until it is certain to which call they belong. */
  show: ((chunk: string) => void) | undefined;
  waiting: string;
}

/** Finds the calls in JSON while it is scanned, with the same rules as `callsOf`, and shows their arguments. */
export class CallFollower implements JsonObserver {
  /** Whether a call with its name and its arguments has been seen, even if it turns out to be unreadable. */
  hasSeenCall = false;
  /** Whether the arguments of such a call were an object, so that they were shown while they arrived. */
  hasShownCall = false;
  /** Whether a call names its tool twice or gives its arguments twice, so that its meaning is unknown. */
  hasTwoMeanings = false;
  private readonly watch: CallWatch;
  /** What the open containers are, innermost last. The root is treated as an item of a list. */
  private readonly containers: (Place | ShownArguments | undefined)[] = [newPlace(true, -1)];
  /** The arguments that are still shown. */
  private due: ShownArguments[] = [];

  constructor(watch: CallWatch) {
    this.watch = watch;
  }

  open(kind: 'object' | 'array', at: number): boolean {
    const parent = this.innermost();
    const isList = kind === 'array';
    const inner =
      parent?.isList === true ? newPlace(isList, parent.depth + 1) : parent && this.openMember(parent, isList, at);
    this.containers.push(inner);
    return inner !== undefined && 'depth' in inner;
  }

  close(at: number): void {
    const closed = this.containers.pop();
    if (closed === undefined) return;
    if (!('depth' in closed)) closed.end = at;
    else if (closed.shown !== undefined && (closed.name === undefined || closed.isWrapper)) closed.shown.show = ignore;
  }

  key(key: string): void {
    const place = this.innermost();
    if (place === undefined) return;
    place.key = key;
    if (!isKeyOf('name', key) && !isKeyOf('arguments', key)) return;
    this.hasTwoMeanings ||= place.keys.has(key);
    place.keys.add(key);
  }

  string(value: string): void {
    const place = this.innermost();
    if (place === undefined || place.isList) return;
    const rank = keyRank('name', place.key);
    if (rank !== -1 && (place.hasArguments ? place.name === undefined : rank < place.rank)) {
      place.name = value;
      place.rank = rank;
    }
    if (isKeyOf('arguments', place.key)) place.hasArguments = true;
    this.decide(place);
  }

  /** Receives each chunk, with its offset, after it was scanned. */
  readonly show = (chunk: string, offset: number): void => {
    const end = offset + chunk.length;
    for (const one of this.due) {
      const from = Math.max(one.start, offset);
      const to = one.end === -1 ? end : Math.min(one.end, end);
      if (from < to) one.waiting += chunk.slice(from - offset, to - offset);
      if (one.name !== undefined) one.show ??= this.watch.begin(one.name)?.json ?? ignore;
      if (one.show !== undefined && one.waiting !== '') {
        one.show(one.waiting);
        one.waiting = '';
      }
    }
    // Complete arguments may still wait for their name.
    this.due = this.due.filter((one) => one.end === -1 || one.show === undefined);
  };

  private innermost(): Place | undefined {
    const place = this.containers.at(-1);
    return place !== undefined && 'depth' in place ? place : undefined;
  }

  private decide(place: Place): void {
    if (place.name === undefined || !place.hasArguments || place.isWrapper) return;
    this.hasSeenCall = true;
    if (place.shown === undefined) return;
    this.hasShownCall = true;
    place.shown.name = place.name;
  }

  private openMember(place: Place, isList: boolean, at: number): Place | ShownArguments | undefined {
    const { key, name } = place;
    if (place.isWrapper) return undefined;
    if (isKeyOf('arguments', key)) {
      place.hasArguments = true;
      if (isList || place.shown !== undefined) return undefined;
      place.shown = { start: at, end: -1, name: undefined, show: undefined, waiting: '' };
      if (this.watch !== noWatch) this.due.push(place.shown);
      this.decide(place);
      return place.shown;
    }
    const isCall = name !== undefined && place.hasArguments;
    place.isWrapper = !isCall && (isList ? isKeyOf('list', key) : isKeyOf('wrapper', key) && name === undefined);
    return place.isWrapper ? newPlace(isList, place.depth + 1) : undefined;
  }
}

function newPlace(isList: boolean, depth: number): Place | undefined {
  return depth > maxCallDepth ? undefined : { ...empty, isList, depth, keys: new Set() };
}
