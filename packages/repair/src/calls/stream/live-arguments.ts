import { formState, toMachineLimits } from '../../json/document/read-value.ts';
import { createMachine } from '../../json/machine/machine.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/result/json-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import { createLive } from '../../json/stream/json-stream.ts';
import type { ArgumentsWatch } from '../source/call-watch.ts';
import { continueJson, createJsonDelta } from './continue-json.ts';

/** The arguments of a call while they are being written. */
export interface LiveArguments extends ArgumentsWatch {
  /** What the arguments turned out to be: answers what is missing of their JSON. */
  readonly finish: (value: JsonObject) => string;
}

/**
 * Makes what turns arguments that are being written into pieces of their JSON and a live value. `tell` hears of every
 * change; a piece may be empty, and the value is the same object each time.
 */
export function createLiveArguments(
  limits: Limits | undefined,
  send: (delta: string, value: JsonValue | undefined) => void,
): LiveArguments {
  const delta = createJsonDelta();
  let json: LiveValue | undefined;
  let code: LiveValue | undefined;
  const members: { [key: string]: JsonValue } = {};
  /** What was sent of arguments that come one by one, and the text among them that is being written. */
  let sent = '';
  let text: { readonly key: string; value: string } | undefined;

  const begin = (key: string): string => `${sent === '' ? '{' : ','}${JSON.stringify(key)}:`;
  const sendMore = (more: string): void => {
    sent += more;
    send(more, members);
  };
  const set = (key: string, value: JsonValue): void => {
    Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
  };
  return {
    json: (piece) => {
      json ??= createLiveValue('value', limits);
      const more = delta.take(piece);
      send(more, json.push(piece));
    },
    code: (piece) => {
      code ??= createLiveValue('arguments', limits);
      send('', code.push(piece));
    },
    beginText: (key) => {
      // Of one that is written again, the end was not sent.
      const end = text === undefined ? '' : '"';
      text = { key, value: '' };
      set(key, '');
      sendMore(`${end}${begin(key)}"`);
    },
    text: (piece) => {
      if (text === undefined) return;
      text.value += piece;
      set(text.key, text.value);
      sendMore(JSON.stringify(piece).slice(1, -1));
    },
    member: (key, value) => {
      const isText = text?.key === key;
      const rest =
        isText && text !== undefined && typeof value === 'string' && value.startsWith(text.value)
          ? JSON.stringify(value.slice(text.value.length)).slice(1)
          : `${text === undefined ? '' : '"'}${begin(key)}${JSON.stringify(value)}`;
      text = undefined;
      set(key, value as JsonValue);
      sendMore(rest);
    },
    finish: (value) => continueJson(json === undefined ? sent : delta.sent(), value, delta.whole()),
  };
}

/** Arguments while they are being written. */
interface LiveValue {
  /** Takes more of them, the opening bracket first; answers what there is of them, the same object each time. */
  readonly push: (piece: string) => JsonValue | undefined;
}

/** Makes a reader of an object, or of what stands in the parentheses of a call. */
function createLiveValue(form: 'value' | 'arguments', limits: Limits | undefined): LiveValue {
  const machine = createMachine({
    text: '',
    at: form === 'value' ? 0 : 1,
    ended: false,
    state: formState(form),
    stopped: false,
    limits: { ...toMachineLimits(limits), repairs: 0, duplicateKeys: 'last', unsafeIntegers: 'round' },
  });
  const live = createLive(machine, undefined);
  let isOver = false;
  return {
    push: (piece) => {
      if (!isOver) live.push(piece);
      isOver ||= machine.rootEnd !== -1 || machine.failure !== undefined;
      const { root, frames } = machine;
      if (form === 'value') return root;
      // An object that is the only argument stands for all of them.
      const [only] = frames[0]?.kind === 'call' ? frames[0].items : machine.positional;
      const hasNames = isJsonObject(root) && Object.keys(root).length > 0;
      return !hasNames && isJsonObject(only) ? only : root;
    },
  };
}
