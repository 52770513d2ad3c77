import type { JsonObject, JsonValue } from '../../json/result/json-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import type { ArgumentsWatch } from '../source/call-watch.ts';
import { continueJson } from './continue-json.ts';
import { createJsonDelta } from './json-delta.ts';
import { createLiveValue, type LiveValue } from './live-value.ts';

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
  tell: (delta: string, value: JsonValue | undefined) => void,
): LiveArguments {
  const delta = createJsonDelta();
  let json: LiveValue | undefined;
  let code: LiveValue | undefined;
  const members: { [key: string]: JsonValue } = {};
  /** What was told of arguments that come one by one, and the text among them that is being written. */
  let told = '';
  let text: { readonly key: string; value: string } | undefined;

  const begin = (key: string): string => `${told === '' ? '{' : ','}${JSON.stringify(key)}:`;
  const tellMore = (more: string): void => {
    told += more;
    tell(more, members);
  };
  const set = (key: string, value: JsonValue): void => {
    Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
  };
  return {
    json: (piece) => {
      json ??= createLiveValue('value', limits);
      const more = delta.take(piece);
      tell(more, json.push(piece));
    },
    code: (piece) => {
      code ??= createLiveValue('arguments', limits);
      tell('', code.push(piece));
    },
    beginText: (key) => {
      // Of one that is written again, the end was not told.
      const end = text === undefined ? '' : '"';
      text = { key, value: '' };
      set(key, '');
      tellMore(`${end}${begin(key)}"`);
    },
    text: (piece) => {
      if (text === undefined) return;
      text.value += piece;
      set(text.key, text.value);
      tellMore(JSON.stringify(piece).slice(1, -1));
    },
    member: (key, value) => {
      const isText = text?.key === key;
      const rest =
        isText && text !== undefined && typeof value === 'string' && value.startsWith(text.value)
          ? JSON.stringify(value.slice(text.value.length)).slice(1)
          : `${text === undefined ? '' : '"'}${begin(key)}${JSON.stringify(value)}`;
      text = undefined;
      set(key, value as JsonValue);
      tellMore(rest);
    },
    finish: (value) => continueJson(json === undefined ? told : delta.sent(), value, delta.whole()),
  };
}
