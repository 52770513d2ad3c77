import { setOwn } from '../../json/machine/operations.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import { createLive } from '../../json/stream/live-machine.ts';
import type { KeyFate } from '../settle/fit-arguments.ts';
import type { ArgumentsWatch } from '../source/call-watch.ts';
import { continueJson, HeldKeys, createJsonDelta } from './continue-json.ts';

/** The arguments of a call while they are being written. */
export interface LiveArguments extends ArgumentsWatch {
  /** Receives the final arguments. Returns the missing part of their JSON. */
  readonly finish: (value: JsonObject) => string;
}

/**
 * Creates a function that turns arguments, while they are being written, into chunks of their JSON and a live value.
 * `send` receives every change; a chunk may be empty, and the value is the same object each time. After a key that is
 * later renamed, chunks are empty, because a sent chunk can't be withdrawn.
 */
export function createLiveArguments(
  limits: Limits | undefined,
  fateOf: (key: string) => KeyFate,
  send: (delta: string, value: JsonValue | undefined) => void,
): LiveArguments {
  const keys = new HeldKeys(fateOf);
  const delta = createJsonDelta(keys);
  let json: LiveValue | undefined;
  let code: LiveValue | undefined;
  const members: { [key: string]: JsonValue } = {};
  /** What was sent of arguments that arrive one by one, and the text that is being written. */
  let sent = '';
  let text: { readonly key: string; value: string } | undefined;

  let held = '';
  const begin = (key: string): string => {
    keys.add(key);
    // The end of a repeated argument was not sent.
    const end = text === undefined ? '' : '"';
    return `${end}${sent + held === '' ? '{' : ','}${JSON.stringify(key)}:`;
  };
  const sendMore = (more: string): void => {
    held += more;
    const added = keys.isOn ? '' : held;
    if (!keys.isOn) held = '';
    sent += added;
    send(added, members);
  };
  return {
    json: (chunk) => {
      json ??= createLiveValue('beforeValue', limits);
      const more = delta.take(chunk);
      send(more, json(chunk));
    },
    code: (chunk) => {
      code ??= createLiveValue('arguments', limits);
      send('', code(chunk));
    },
    beginText: (key) => {
      const begun = begin(key);
      text = { key, value: '' };
      setOwn(members, key, '');
      sendMore(`${begun}"`);
    },
    text: (chunk) => {
      if (text === undefined) return;
      text.value += chunk;
      setOwn(members, text.key, text.value);
      sendMore(JSON.stringify(chunk).slice(1, -1));
    },
    member: (key, value) => {
      const rest =
        text?.key === key && typeof value === 'string' && value.startsWith(text.value)
          ? JSON.stringify(value.slice(text.value.length)).slice(1)
          : `${begin(key)}${JSON.stringify(value)}`;
      text = undefined;
      setOwn(members, key, value as JsonValue);
      sendMore(rest);
    },
    finish: (value) => continueJson(json === undefined ? sent : delta.sent(), value, delta.whole()),
  };
}

/** Receives more text, the opening bracket first. Returns the value so far, the same object each time. */
type LiveValue = (chunk: string) => JsonValue | undefined;

/** Creates a reader of an object, or of the content of a call's parentheses. */
function createLiveValue(state: 'beforeValue' | 'arguments', limits: Limits | undefined): LiveValue {
  const live = createLive(state, limits);
  const { machine } = live;
  let isOver = false;
  return (chunk) => {
    if (!isOver) live.push(chunk);
    isOver ||= machine.rootEnd !== -1 || machine.failure !== undefined;
    const { root, frames } = machine;
    if (state === 'beforeValue') return root;
    // An object that is the only argument contains all arguments.
    const [only] = frames[0]?.kind === 'call' ? frames[0].items : machine.positional;
    const hasNames = isJsonObject(root) && Object.keys(root).length > 0;
    return !hasNames && isJsonObject(only) ? only : root;
  };
}
