/** The interface between a script and its host. Both sides exchange only texts. */
export interface World {
  /** Runs the compiled script and reports how it ended. */
  run(script: unknown): void;
  /** Delivers an answer of the host. */
  receive(text: string): void;
  /** Resolves a timer of the script. */
  wake(id: number): void;
}

/**
 * Creates the globals of a script: `tools`, `call`, `print`, `console`, `setTimeout`. Its source runs inside the
 * script's own realm, so that the script can reach nothing of this process except two functions, which it never
 * receives. It refers to nothing outside of itself, and saves the built-ins that it needs, because a script may replace
 * them.
 */
export function createScriptWorld(
  send: (text: string) => boolean,
  wait: (id: number, ms: number) => void,
  names: readonly string[],
  maxPrinted: number,
): World {
  const { stringify, parse } = JSON;
  const { defineProperty, freeze, create, keys } = Object;
  const { isArray, from } = Array;
  const { apply, get } = Reflect;
  const exec = get(RegExp.prototype, 'exec') as (text: string) => readonly string[] | null;
  const place = /\bscript:(\d+):\d+/;
  const PromiseOfRealm = Promise;
  const MapOfRealm = Map;
  const SetOfRealm = Set;
  const ErrorOfRealm = Error;
  const text = String;

  // Reading a stack makes the host format it, so no code of the script may run here: neither the error's own name nor a
  // replaced function.
  const describeStack = (error: unknown, frames: readonly unknown[]): string => {
    let lines = '';
    try {
      lines = text(error);
    } catch {
      // The name or the message of the error can't be read.
    }
    for (let at = 0; at < frames.length; at += 1) lines += `\n    at ${text(frames[at])}`;
    return lines;
  };
  defineProperty(ErrorOfRealm, 'prepareStackTrace', { value: describeStack, writable: false, configurable: false });
  defineProperty(globalThis, 'Error', { value: ErrorOfRealm, writable: false, configurable: false });

  interface Waiting {
    readonly resolve: (value: unknown) => void;
    readonly reject: (error: unknown) => void;
    readonly error: ToolError;
  }
  const waiting = create(null) as Record<number, Waiting | undefined>;
  const sleeping = create(null) as Record<number, (() => void) | undefined>;
  let calls = 0;
  let open = 0;
  let timers = 0;
  let printed = 0;
  let end: object | undefined;

  class ToolError extends ErrorOfRealm {
    override readonly name = 'ToolError';
    readonly tool: string;
    readonly id: number;
    code = '';
    constructor(tool: string, id: number) {
      super('');
      this.tool = tool;
      this.id = id;
    }
  }

  const report = (message: object): void => {
    let isSent = false;
    try {
      isSent = send(stringify(message));
    } catch {
      // Errors of this process must not reach the script.
      throw new ErrorOfRealm("it is nested too deeply, or refers to itself, and can't be sent");
    }
    if (!isSent)
      throw new ErrorOfRealm("it has more than 8 MiB or 100,000 values, or is nested too deeply, and can't be sent");
  };

  const call = (name: unknown, args?: unknown): Promise<unknown> => {
    calls += 1;
    const id = calls;
    const error = new ToolError(text(name), id);
    return new PromiseOfRealm((resolve, reject) => {
      report({ t: 'invoke', id, name: text(name), args: asJson(args) });
      open += 1;
      waiting[id] = { resolve, reject, error };
    });
  };

  const receive = (received: string): void => {
    const message = parse(received) as {
      readonly id: number;
      readonly ok: boolean;
      readonly value?: unknown;
      readonly code?: string;
      readonly message?: string;
    };
    const asked = waiting[message.id];
    if (!asked) return;
    waiting[message.id] = undefined;
    open -= 1;
    if (message.ok) asked.resolve(message.value);
    else {
      asked.error.code = message.code ?? '';
      asked.error.message = message.message ?? '';
      asked.reject(asked.error);
    }
    leaveIfDone();
  };

  /** Converts maps and sets to JSON values, and numbers that JSON can't represent to text. */
  const asJson = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'bigint') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > 100) throw new ErrorOfRealm('it is nested too deeply, or refers to itself');
    if (value instanceof MapOfRealm || value instanceof SetOfRealm) return asJson(from(value), depth + 1);
    if (value instanceof ErrorOfRealm) return `${value.name}: ${value.message}`;
    if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return value;
    if (isArray(value)) return from(value, (item) => asJson(item, depth + 1));
    const copy: Record<string, unknown> = {};
    for (const key of keys(value)) {
      const member = asJson((value as Record<string, unknown>)[key], depth + 1);
      defineProperty(copy, key, { value: member, enumerable: true, writable: true, configurable: true });
    }
    return copy;
  };

  const show = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (typeof value === 'function') return '[function]';
    try {
      return stringify(asJson(value)) ?? text(value);
    } catch {
      return '[not displayable]';
    }
  };

  const print = (...values: readonly unknown[]): void => {
    if (printed > maxPrinted) return;
    let line = '';
    for (let at = 0; at < values.length; at += 1) line += (at > 0 ? ' ' : '') + show(values[at]);
    printed += line.length + 1;
    report(printed > maxPrinted ? { t: 'cut' } : { t: 'print', text: line });
  };

  const tools = create(null) as Record<string, unknown>;
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at]!;
    defineProperty(tools, name, { value: (args?: unknown) => call(name, args), enumerable: true });
  }
  const missing = {
    get: (target: Record<string, unknown>, key: string | symbol): unknown => {
      if (typeof key === 'symbol' || key === 'then' || key in target) return target[key as string];
      // An unknown tool fails like any other call, with the most similar names.
      return (args?: unknown) => call(key, args);
    },
  };
  const console = create(null) as Record<string, unknown>;
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) console[level] = print;

  const setTimeout = (task: unknown, ms: unknown, ...passed: readonly unknown[]): number => {
    timers += 1;
    const id = timers;
    if (typeof task !== 'function') throw new TypeError('setTimeout requires a function');
    sleeping[id] = () => void apply(task, undefined, passed);
    try {
      wait(id, typeof ms === 'number' && ms > 0 ? ms : 0);
    } catch {
      throw new ErrorOfRealm('timers are not available here');
    }
    return id;
  };
  const clearTimeout = (id: unknown): void => void (sleeping[id as number] = undefined);

  const given = {
    tools: new Proxy(freeze(tools), missing),
    call,
    print,
    console: freeze(console),
    setTimeout,
    clearTimeout,
    ToolError,
  };
  for (const name of keys(given)) {
    const value = given[name as keyof typeof given];
    defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }

  const leaveIfDone = (): void => {
    if (!end || open > 0) return;
    const last = end;
    end = undefined;
    try {
      report(last);
    } catch (thrown) {
      report({ t: 'done', ok: false, reason: 'value', message: `its return value can't be sent: ${wordsOf(thrown)}` });
    }
  };

  const wordsOf = (thrown: unknown): string => {
    try {
      if (!(thrown instanceof ErrorOfRealm)) return `it threw ${show(thrown)}`;
      return thrown instanceof ToolError ? text(thrown.message) : `${text(thrown.name)}: ${text(thrown.message)}`;
    } catch {
      return 'it threw a value that is not displayable';
    }
  };
  const placeOf = (thrown: unknown): number | undefined => {
    try {
      const found = apply(exec, place, [text((thrown as { readonly stack?: unknown }).stack)]);
      return found ? Number(found[1]) : undefined;
    } catch {
      return undefined;
    }
  };

  let hasEnded = false;
  const finish = (last: object): void => {
    if (hasEnded) return;
    hasEnded = true;
    end = last;
    leaveIfDone();
  };
  const fail = (thrown: unknown): void => {
    const id = thrown instanceof ToolError ? { call: thrown.id } : {};
    // Calls that are still running are no longer needed, so the host cancels them.
    open = 0;
    finish({ t: 'done', ok: false, reason: 'threw', message: wordsOf(thrown), line: placeOf(thrown), ...id });
  };

  return {
    receive,
    wake(id) {
      const task = sleeping[id];
      sleeping[id] = undefined;
      try {
        task?.();
      } catch (thrown) {
        fail(thrown);
      }
    },
    run(script) {
      const work = async (): Promise<void> => {
        try {
          let value: unknown = await (script as () => unknown)();
          // Some models write the whole script as one function without calling it, so it is called here.
          if (typeof value === 'function') value = await (value as () => unknown)();
          let received: unknown;
          try {
            received = asJson(value);
          } catch (thrown) {
            return finish({
              t: 'done',
              ok: false,
              reason: 'value',
              message: `its return value can't be sent: ${wordsOf(thrown)}`,
            });
          }
          finish({ t: 'done', ok: true, value: received });
        } catch (thrown) {
          fail(thrown);
        }
      };
      void work();
    },
  };
}
