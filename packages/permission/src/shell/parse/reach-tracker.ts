import type { Reach } from '../syntax/shell-word.ts';

interface Group {
  /** Reaches that end with the group. */
  readonly reaches: OpenReach[];
  /** Reaches that end with the commands that `&&` joins. Undefined before the first of these commands. */
  joined: OpenReach[] | undefined;
  /** Commands of the list that a later `&` may still send into the background. */
  readonly list: OpenReach[];
  /** After `||`, it is uncertain which commands ran. */
  isOptional: boolean;
}

interface OpenReach {
  readonly from: number;
  readonly behind: number;
  end: number;
}

const endless = Number.POSITIVE_INFINITY;

/** Tracks the reach of each command while a command list is parsed. This is a class because each list has one. */
export class ReachTracker {
  readonly #groups: Group[] = [createGroup()];
  #group: Group = this.#groups[0]!;

  /** Marks the start of commands that may not run, or that run in a different order. */
  open(): void {
    this.#group = createGroup();
    this.#groups.push(this.#group);
  }

  /** Marks the end of these commands. */
  close(at: number): void {
    if (this.#groups.length === 1) return;
    endAt(this.#group.reaches, at);
    this.#groups.pop();
    this.#group = this.#groups.at(-1)!;
  }

  /** Marks the end of the whole list. */
  finish(at: number): void {
    for (const { reaches } of this.#groups) endAt(reaches, at);
  }

  /** Records an operator. */
  pass(operator: string, at: number): void {
    const group = this.#group;
    if (operator === '|' || operator === '|&') return;
    if (operator === '&') endAt(group.list, at);
    if (operator !== '&&') {
      if (group.joined) endAt(group.joined, at);
      group.joined = undefined;
    } else group.joined ??= [];
    group.isOptional = operator === '||' || (group.isOptional && operator === '&&');
    if (operator !== '&&' && operator !== '||') group.list.length = 0;
  }

  /**
   * Returns the reach of a command that began at `from` and ends before `behind`; `operator` is the operator that
   * follows.
   */
  reachOf(from: number, behind: number, operator: string): Reach | undefined {
    const group = this.#group;
    if (group.isOptional || operator === '|' || operator === '|&' || operator === '&') return undefined;
    const reach: OpenReach = { from, behind, end: endless };
    group.reaches.push(reach);
    group.joined?.push(reach);
    group.list.push(reach);
    return reach;
  }
}

function createGroup(): Group {
  return { reaches: [], joined: undefined, list: [], isOptional: false };
}

function endAt(reaches: readonly OpenReach[], at: number): void {
  for (const reach of reaches) reach.end = Math.min(reach.end, at);
}
