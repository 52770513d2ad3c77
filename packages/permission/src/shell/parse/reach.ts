/** The part of a line that runs only after a command did. */
export interface Reach {
  /** Index where the command itself begins. */
  readonly from: number;
  /** Index where the command itself ends: its own words are expanded before it runs. */
  readonly behind: number;
  readonly end: number;
}

/** Follows, while a list of commands is read, how far each of them reaches. */
export interface ReachKeeper {
  /** Commands begin that may not run, or that run in their own order. */
  open(): void;
  /** They end here. */
  close(at: number): void;
  /** The whole list ends here. */
  finish(at: number): void;
  /** An operator stands here. */
  pass(operator: string, at: number): void;
  /** A command that began at `from` ends before `behind`; `operator` is what follows. */
  reachOf(from: number, behind: number, operator: string): Reach | undefined;
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

/** Makes a keeper for one list of commands. */
export function createReachKeeper(): ReachKeeper {
  const groups: Group[] = [];
  const end = (reaches: readonly OpenReach[], at: number): void => {
    for (const reach of reaches) reach.end = Math.min(reach.end, at);
  };
  const open = (): void => {
    groups.push({ reaches: [], joined: undefined, list: [], isOptional: false });
  };
  open();
  return {
    open,
    close(at) {
      const group = groups.length > 1 ? groups.pop() : undefined;
      if (group) end(group.reaches, at);
    },
    finish(at) {
      for (const { reaches } of groups) end(reaches, at);
    },
    pass(operator, at) {
      const group = groups.at(-1)!;
      if (operator === '|' || operator === '|&') return;
      if (operator === '&') end(group.list, at);
      if (operator !== '&&') {
        end(group.joined ?? [], at);
        group.joined = undefined;
      } else group.joined ??= [];
      group.isOptional = operator === '||' || (group.isOptional && operator === '&&');
      if (operator !== '&&' && operator !== '||') group.list.length = 0;
    },
    reachOf(from, behind, operator) {
      const group = groups.at(-1)!;
      if (group.isOptional || operator === '|' || operator === '|&' || operator === '&') return undefined;
      const reach: OpenReach = { from, behind, end: endless };
      group.reaches.push(reach);
      group.joined?.push(reach);
      group.list.push(reach);
      return reach;
    },
  };
}
