/**
 * The globals that Node, browsers, workers and edge runtimes share (the WinterTC minimum), as far as the portable
 * packages use them. Add a line here only for a global that every runtime has.
 */

declare class Event {
  constructor(type: string);
  readonly type: string;
}

declare class EventTarget {
  addEventListener(
    type: string,
    listener: (event: Event) => void,
    options?: { once?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
}

declare class AbortSignal extends EventTarget {
  static abort(reason?: unknown): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  static timeout(milliseconds: number): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly name: string;
}

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string, base?: string): boolean;
  readonly href: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  toString(): string;
}

declare function setTimeout<Arguments extends unknown[]>(
  callback: (...args: Arguments) => void,
  milliseconds?: number,
  ...args: Arguments
): number;
declare function clearTimeout(timer: number | undefined): void;
declare function setInterval(callback: () => void, milliseconds?: number): number;
declare function clearInterval(timer: number | undefined): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<Value>(value: Value): Value;
declare function atob(text: string): string;
declare function btoa(text: string): string;

declare const performance: { now(): number; readonly timeOrigin: number };
declare const crypto: {
  randomUUID(): string;
  getRandomValues<View extends ArrayBufferView>(view: View): View;
};
declare const console: Readonly<Record<'log' | 'info' | 'warn' | 'error' | 'debug', (...data: unknown[]) => void>>;
