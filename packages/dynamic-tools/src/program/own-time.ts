/** A stopwatch with a limit. It calls back when its running time reaches the limit. */
export interface OwnTime {
  run(): void;
  rest(): void;
  /** Stops it permanently. */
  end(): void;
}

/** Creates a paused stopwatch. */
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
