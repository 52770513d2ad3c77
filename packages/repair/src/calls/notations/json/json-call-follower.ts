import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import type { JsonObserver } from '../../source/json-scanner.ts';
import { CallMembers, isKeyOf, maxCallDepth } from './json-call-keys.ts';

const ignore = (): void => {};

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
export class CallFollower {
  /** Whether a call with its name and its arguments has been seen, even if it turns out to be unreadable. */
  hasSeenCall = false;
  /** Whether the arguments of such a call were an object, so that they were shown while they arrived. */
  hasShownCall = false;
  /** Whether a call names its tool twice or gives its arguments twice, so that its meaning is unknown. */
  hasTwoMeanings = false;
  /** Receives the scanned JSON. */
  readonly root: JsonObserver = { open: (kind) => this.follow(kind, 0) };
  private readonly watch: CallWatch;
  /** The arguments that are still shown. */
  private due: ShownArguments[] = [];

  constructor(watch: CallWatch) {
    this.watch = watch;
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

  /** Follows a list of calls, or an object that may be a call or contain calls. */
  private follow(kind: 'object' | 'list', depth: number): JsonObserver | undefined {
    if (depth > maxCallDepth) return undefined;
    const followInner: JsonObserver['open'] = (inner) => this.follow(inner, depth + 1);
    return kind === 'list' ? { open: followInner } : this.followObject(followInner);
  }

  private followObject(followInner: JsonObserver['open']): JsonObserver {
    const members = new CallMembers();
    const keys = new Set<string>();
    let key = '';
    let shown: ShownArguments | undefined;
    const decide = (): void => {
      if (!members.isCall) return;
      this.hasSeenCall = true;
      if (shown === undefined) return;
      this.hasShownCall = true;
      shown.name = members.name;
    };
    return {
      key: (next) => {
        key = next;
        if (!isKeyOf('name', key) && !isKeyOf('arguments', key)) return;
        this.hasTwoMeanings ||= keys.has(key);
        keys.add(key);
      },
      string: (value) => {
        members.add(key, value);
        decide();
      },
      open: (kind, at) => {
        if (members.innerKey !== undefined) return undefined;
        members.add(key, kind === 'list' ? [] : {});
        if (members.innerKey === key) return followInner(kind, at);
        if (kind === 'list' || shown !== undefined || !isKeyOf('arguments', key)) return undefined;
        const begun: ShownArguments = { start: at, end: -1, name: undefined, show: undefined, waiting: '' };
        if (this.watch !== noWatch) this.due.push(begun);
        shown = begun;
        decide();
        return { open: () => undefined, close: (end) => (begun.end = end) };
      },
      close: () => {
        if (shown !== undefined && !members.isCall) shown.show = ignore;
      },
    };
  }
}
