/** What Ctrl-C and a request to end mean for the running command. */
export interface Interruption {
  /** Aborts when the command is to end. */
  readonly signal: AbortSignal;
  /** 130 after Ctrl-C, 143 after a request to end, `undefined` before. */
  exitCode(): number | undefined;
  /** While a handler is there, Ctrl-C calls it (the newest) and the command goes on. Returns how to give it back. */
  onInterrupt(handler: () => void): () => void;
}

/**
 * One Ctrl-C reaches a process more than once, from the terminal and from npm and other parents that pass it on;
 * equal signals this close to one another, in milliseconds, are one.
 */
const togetherMs = 300;

/** Listens for signals: the first ends the command in good order, another one ends the process. */
export function listenForInterruption(source: NodeJS.Process): Interruption {
  const controller = new AbortController();
  const handlers: (() => void)[] = [];
  let code: number | undefined;
  let last = { signal: '', at: -Infinity };

  const receive = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void => {
    const now = performance.now();
    const isEcho = last.signal === signal && now - last.at < togetherMs;
    last = { signal, at: now };
    if (isEcho) return;
    const handler = signal === 'SIGINT' ? handlers.at(-1) : undefined;
    if (handler) {
      handler();
      return;
    }
    if (code !== undefined) source.exit(code);
    code = signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 129;
    controller.abort(new DOMException(`ended by ${signal}`, 'AbortError'));
  };
  source.on('SIGINT', receive).on('SIGTERM', receive).on('SIGHUP', receive);

  return {
    signal: controller.signal,
    exitCode: () => code,
    onInterrupt(handler) {
      handlers.push(handler);
      return () => {
        const index = handlers.indexOf(handler);
        if (index >= 0) handlers.splice(index, 1);
      };
    },
  };
}
