/** A clock that can be stopped: it counts the time in which it runs, and tells when that is over. */
export interface OwnTime {
  run(): void;
  rest(): void;
  /** Stops it for good. */
  end(): void;
}

/** Makes a clock that rests. */
export function createOwnTime(ms: number, onOver: () => void): OwnTime {
  let left = ms;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const rest = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - since;
  };
  return {
    run() {
      if (isOver || timer !== undefined) return;
      since = performance.now();
      timer = setTimeout(onOver, Math.max(0, left));
    },
    rest,
    end() {
      isOver = true;
      rest();
    },
  };
}
