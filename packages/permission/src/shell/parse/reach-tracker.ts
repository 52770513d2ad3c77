/** The part of a line that runs only after a command did. */
export interface Reach {
  /** Index where the command itself begins. */
  readonly from: number;
  /** Index where the command itself ends: its own words are expanded before it runs. */
  readonly behind: number;
  readonly end: number;
}

interface Group {
  /** What ends with the group. */
  readonly reaches: OpenReach[];
  /** What ends with the commands that `&&` joins; undefined before the first of these. */
  joined: OpenReach[] | undefined;
  /** Commands of the list that `&` may still send into the background. */
  readonly list: OpenReach[];
  /** Behind `||`, it is not certain what ran. */
  isOptional: boolean;
}

interface OpenReach {
  readonly from: number;
  readonly behind: number;
  end: number;
}

const endless = Number.POSITIVE_INFINITY;

/** Follows, while a list of commands is read, how far each of them reaches. A class, since each list has one. */
export class ReachTracker {
  readonly #groups: Group[] = [createGroup()];
  #group: Group = this.#groups[0]!;

  /** Commands begin that may not run, or that run in their own order. */
  open(): void {
    this.#group = createGroup();
    this.#groups.push(this.#group);
  }

  /** They end here. */
  close(at: number): void {
    if (this.#groups.length === 1) return;
    endAt(this.#group.reaches, at);
    this.#groups.pop();
    this.#group = this.#groups.at(-1)!;
  }

  /** The whole list ends here. */
  finish(at: number): void {
    for (const { reaches } of this.#groups) endAt(reaches, at);
  }

  /** An operator stands here. */
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

  /** A command that began at `from` ends before `behind`; `operator` is what follows. */
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
