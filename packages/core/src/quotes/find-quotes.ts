import type { Message } from '../contracts/conversation/model.ts';
import { extractToolCalls, type CallableTool, type ExtractedCall } from '@haft/repair/calls';
import {
  comparableForms,
  wordBreak,
  withoutLineAnchors,
  withoutUntrustedMarks,
  type ComparableText,
} from './comparable-text.ts';

const maxDepth = 64;
/** Maximum number of characters between part of a call and the start or end of its message. */
const spanSlack = 1_000;
const [minSpanLength, maxSpanLength] = [12, 20_000];
/** Minimum length of each part of a call that spans more than two messages. */
const minPartLength = 8;

/** Returns whether a call in the model's text repeats earlier text of tools or users. */
export type IsQuoted = (call: ExtractedCall, text: string) => boolean;

/** The texts of one tool or user message. */
interface ReceivedText {
  readonly texts: readonly string[];
  /** The normalized texts. */
  readonly forms: ComparableText;
  /** The calls in the texts, by the known tool names. */
  readonly calls: Map<string, ReadonlySet<string>>;
}

const receivedTexts = new WeakMap<Message, ReceivedText>();

/**
 * Looks for calls in tool results and user messages: a model that repeats a file with a call in it does not make that
 * call. A call is quoted if its text appears in one or several consecutive messages, in any encoding or decoration, or
 * if the same call appears in the same envelope. A call that the model made earlier itself is not quoted. Each message
 * is read once, at the first query.
 *
 * @param messages - the conversation before the answer, with the `toolCalls` of earlier answers.
 * @example
 * import { findQuotes } from '@haft/core/quotes';
 * import { extractToolCalls } from '@haft/repair/calls';
 * const tools = [{ name: 'ls', parameters: { type: 'object' }, aliases: {} }];
 * const answer = 'It lists files:\n<tool_call>{"name": "ls"}</tool_call>';
 * const [call] = extractToolCalls(answer, { tools, stopped: 'stop' }).calls;
 * const isQuoted = findQuotes([{ role: 'user', content: 'What does <tool_call>{"name": "ls"}</tool_call> do?' }], tools);
 * call && isQuoted(call, answer); // => true
 */
export function findQuotes(messages: readonly Message[], tools: readonly CallableTool[]): IsQuoted {
  return (call, text) => {
    const needles = needlesOf(text.slice(call.start, call.end));
    const defaults = defaultsOf(tools, call.name);
    const signature = signatureOf(call.name, call.arguments, defaults);
    const spans = [...new Set([...needles.exact, ...needles.loose])]
      .filter(({ length }) => length >= minSpanLength && length <= maxSpanLength)
      .map((needle) => ({ needle, seen: 0, parts: 0 }));
    for (const message of messages) {
      if (message.role === 'assistant') {
        const isOwn = message.toolCalls?.some((made) => signatureOf(made.name, made.arguments, defaults) === signature);
        if (isOwn === true) return false;
      }
      if (message.role !== 'tool' && message.role !== 'user') continue;
      const received = readReceived(message);
      const { exact, loose } = received.forms;
      if (exact.some((form) => needles.exact.some((needle) => hasWord(form, needle)))) return true;
      if (loose.some((form) => needles.loose.some((needle) => form.includes(needle)))) return true;
      if (callsIn(received, tools).has(`${familyOf(call.envelope)} ${signature}`)) return true;
      for (const span of spans) if (continuesSpan(span, [...exact, ...loose])) return true;
    }
    return false;
  };
}

/** Returns the forms of a call's text with and without its code fence. */
function needlesOf(text: string): ComparableText {
  const bare = text.replace(/^\s*`{3,}[^\n]*\n/, '').replace(/\n?`{3,}\s*$/, '');
  const forms = [...new Set([text, bare])].map((form) => comparableForms(form, false));
  return {
    exact: [...new Set(forms.flatMap(({ exact }) => exact))].filter((needle) => needle !== ''),
    loose: [...new Set(forms.flatMap(({ loose }) => loose))],
  };
}

/** Returns whether a text contains another one that does not start inside a word. */
function hasWord(form: string, needle: string): boolean {
  const isWord = /^\w/.test(needle);
  for (let at = form.indexOf(needle); at !== -1; at = form.indexOf(needle, at + 1))
    if (!isWord || !/\w/.test(form[at - 1] ?? '')) return true;
  return false;
}

/** The part of a call that the messages so far contain. */
interface Span {
  readonly needle: string;
  /** Characters from the start of the call. */
  seen: number;
  /** Number of messages that contain them. */
  parts: number;
}

/** Updates the span with a message. Returns whether the message completes the call. */
function continuesSpan(span: Span, forms: readonly string[]): boolean {
  const { needle } = span;
  const reach = needle.length + spanSlack;
  const max = needle.length - 1;
  let { seen } = span;
  let middle = 0;
  for (const form of forms) {
    const head = form.slice(0, reach);
    const ending = findMaxLength(max, (length) => head.includes(needle.slice(needle.length - length)));
    // The first part may end at the whitespace between two words.
    const from = needle[span.seen] === wordBreak ? span.seen + 1 : span.seen;
    if (ending > 0 && from + ending >= needle.length && (span.parts < 2 || ending >= minPartLength)) return true;
    const tail = form.slice(-reach);
    seen = Math.max(
      seen,
      findMaxLength(max, (length) => tail.includes(needle.slice(0, length))),
    );
    if (span.seen < minPartLength || form.length > 2 * reach) continue;
    const part = findMaxLength(needle.length - from, (length) => form.includes(needle.slice(from, from + length)));
    if (part >= minPartLength) middle = Math.max(middle, from + part);
  }
  if (middle > seen) span.parts += 1;
  else if (seen > span.seen) span.parts = 1;
  span.seen = Math.max(seen, middle);
  return false;
}

/** Binary search for the maximum length that satisfies a monotonic condition. */
function findMaxLength(max: number, holds: (length: number) => boolean): number {
  let [low, high] = [0, max];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function callsIn(received: ReceivedText, tools: readonly CallableTool[]): ReadonlySet<string> {
  const key = tools.map(({ name }) => name).join('\n');
  const known = received.calls.get(key);
  if (known) return known;
  const plain = received.texts.map(withoutUntrustedMarks);
  const calls = new Set<string>();
  for (const text of new Set([...plain, ...plain.map(withoutLineAnchors)]))
    for (const call of extractToolCalls(text, { tools, stopped: 'stop', startsInReasoning: false }).calls)
      calls.add(`${familyOf(call.envelope)} ${signatureOf(call.name, call.arguments, defaultsOf(tools, call.name))}`);
  received.calls.set(key, calls);
  return calls;
}

/** JSON is equal with and without a code fence. */
function familyOf(envelope: string): string {
  return envelope === 'fenced' ? 'bare-json' : envelope;
}

/** Returns the default values of a tool's parameters as JSON, by name. */
function defaultsOf(tools: readonly CallableTool[], name: string): ReadonlyMap<string, string> {
  const parameters: unknown = tools.find((tool) => tool.name === name)?.parameters;
  const { properties } = (parameters ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> };
  const entries = Object.entries(properties ?? {}).flatMap(([member, schema]) =>
    typeof schema === 'object' && schema !== null && 'default' in schema
      ? [[member, JSON.stringify(inOrder(schema.default))] as const]
      : [],
  );
  return new Map(entries);
}

/** Returns a call as text without arguments that are null or equal their defaults. */
function signatureOf(name: string, args: unknown, defaults: ReadonlyMap<string, string>): string {
  const ordered = inOrder(args);
  if (typeof ordered !== 'object' || ordered === null || Array.isArray(ordered)) return JSON.stringify([name, ordered]);
  const given = Object.entries(ordered).filter(
    ([member, value]) => value !== null && defaults.get(member) !== JSON.stringify(value),
  );
  return JSON.stringify([name, Object.fromEntries(given)]);
}

/** Copies a value with sorted keys. Drops too deep nesting. */
function inOrder(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) return value.map((item) => inOrder(item, depth + 1));
  const members = Object.entries(value as Readonly<Record<string, unknown>>);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member, depth + 1)]));
}

function readReceived(message: Message): ReceivedText {
  const known = receivedTexts.get(message);
  if (known) return known;
  const texts: string[] = [];
  if (typeof message.content === 'string') texts.push(message.content);
  else
    for (const part of message.content) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'json') collectStrings(part.value, texts, 0);
    }
  // A call may start in one part and end in the next.
  if (texts.length > 1) texts.push(texts.join('\n'));
  const forms = texts.map((text) => comparableForms(text, true));
  const received: ReceivedText = {
    texts,
    forms: { exact: forms.flatMap(({ exact }) => exact), loose: forms.flatMap(({ loose }) => loose) },
    calls: new Map(),
  };
  receivedTexts.set(message, received);
  return received;
}

function collectStrings(value: unknown, into: string[], depth: number): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'object' && value !== null && depth < maxDepth) {
    // Calls in structured data are quoted as JSON.
    if (depth === 0) into.push(asJson(value));
    for (const member of Object.values(value)) collectStrings(member, into, depth + 1);
  }
}

function asJson(value: object): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
