/** Handling of Ctrl-C and termination requests. */
export interface Interruption {
  /** Aborts when the command must end. */
  readonly signal: AbortSignal;
  /** 130 after Ctrl-C, 143 after a termination request, `undefined` before. */
  exitCode(): number | undefined;
  /** Ctrl-C calls the newest handler, and the command continues. Returns a function that removes the handler. */
  onInterrupt(handler: () => void): () => void;
}

/**
 * Equal signals within this time, in milliseconds, count as one. One Ctrl-C can arrive several times: from the
 * terminal, from npm and from other parent processes.
 */
const togetherMs = 300;

/** Listens for signals. The first ends the command cleanly, the second ends the process. */
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
