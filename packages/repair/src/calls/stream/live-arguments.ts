import { setOwn } from '../../json/machine/operations.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import { createLive } from '../../json/stream/live-machine.ts';
import type { KeyFate } from '../settle/fit-arguments.ts';
import type { ArgumentsWatch } from '../source/call-watch.ts';
import { continueJson, createCertainJson } from './continue-json.ts';

/** The arguments of a call while they are being written. */
export interface LiveArguments extends ArgumentsWatch {
  /** Receives the final arguments. Returns the missing part of their JSON. */
  readonly finish: (value: JsonObject) => string;
}

/**
 * Creates a function that turns arguments, while they are being written, into chunks of their JSON and a live value.
 * `send` receives every change; a chunk may be empty, and the value is the same object each time. After a key that may
 * not belong to the arguments, chunks are empty, because a sent chunk can't be withdrawn.
 */
export function createLiveArguments(
  limits: Limits | undefined,
  fateOf: (key: string) => KeyFate,
  send: (delta: string, value: JsonValue | undefined) => void,
): LiveArguments {
  /** What was sent, and the certain text after it that is held back. */
  const sent: string[] = [];
  let held = '';
  let isHeld = false;
  let isChanged = false;
  let first: string | undefined;
  const addKey = (key: string): void => {
    const fate = fateOf(key);
    first ??= key;
    isChanged ||= fate === 'changed';
    // Only a single key can be a wrapper around all arguments.
    isHeld = isChanged || (key === first && fate === 'foreign');
  };
  const sendMore = (certain: string, value: JsonValue | undefined): void => {
    held += certain;
    const delta = isHeld ? '' : held;
    if (!isHeld) held = '';
    if (delta !== '') sent.push(delta);
    send(delta, value);
  };

  const json = createCertainJson(addKey);
  let live: LiveValue | undefined;
  /** The arguments that arrive one by one, and the text that is being written. */
  const members: { [key: string]: JsonValue } = {};
  let text: { readonly key: string; value: string } | undefined;
  const begin = (key: string): string => {
    addKey(key);
    // The end of a repeated argument was not sent.
    const end = text === undefined ? '' : '"';
    return `${end}${sent.length === 0 && held === '' ? '{' : ','}${JSON.stringify(key)}:`;
  };
  return {
    json: (chunk) => {
      live ??= createLiveValue('beforeValue', limits);
      sendMore(json.take(chunk), live(chunk));
    },
    code: (chunk) => {
      live ??= createLiveValue('arguments', limits);
      send('', live(chunk));
    },
    beginText: (key) => {
      const begun = begin(key);
      text = { key, value: '' };
      setOwn(members, key, '');
      sendMore(`${begun}"`, members);
    },
    text: (chunk) => {
      if (text === undefined) return;
      text.value += chunk;
      setOwn(members, text.key, text.value);
      sendMore(JSON.stringify(chunk).slice(1, -1), members);
    },
    member: (key, value) => {
      const rest =
        text?.key === key && typeof value === 'string' && value.startsWith(text.value)
          ? JSON.stringify(value.slice(text.value.length)).slice(1)
          : `${begin(key)}${JSON.stringify(value)}`;
      text = undefined;
      setOwn(members, key, value as JsonValue);
      sendMore(rest, members);
    },
    finish: (value) => {
      const rest = json.rest();
      return continueJson(sent.join(''), value, rest === undefined ? undefined : held + rest);
    },
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
