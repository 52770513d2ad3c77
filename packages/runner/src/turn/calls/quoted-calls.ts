import type { Message } from '@haft/core';
import { extractToolCalls, type CallableTool, type ExtractedCall } from '@haft/repair/calls';
import { comparableForms, wordBreak, withoutLineAnchors, withoutUntrustedMarks } from './comparable-text.ts';

const deepest = 64;
/** Characters that may stand between the half of a call and the end, or the beginning, of the answer that holds it. */
const spanSlack = 1_000;
const [shortestSpanning, longestSpanning] = [12, 20_000];

/** Tells whether a call in a model's text repeats what others wrote before the model made it. */
export type IsQuoted = (call: ExtractedCall, text: string) => boolean;

/** What tools answered or users sent in one message. */
interface Heard {
  readonly texts: readonly string[];
  /** The texts as they are compared. */
  readonly forms: readonly string[];
  /** The calls in the texts, by the names of the tools that were known. */
  readonly calls: Map<string, ReadonlySet<string>>;
}

const heardIn = new WeakMap<Message, Heard>();

/**
 * Looks for calls in what tools have answered and users have sent: a model that repeats a file with a call in it makes no
 * call. A call is repeated if its text stands there, in one message or in two that follow each other, or if the same call
 * in the same envelope does. A call that the model has made before others wrote it is its own. The conversation is read
 * when the first call is asked about, each message once.
 */
export function findQuotes(messages: readonly Message[], tools: readonly CallableTool[]): IsQuoted {
  return (call, text) => {
    const needles = needlesOf(text.slice(call.start, call.end));
    const signature = signatureOf(call.name, call.arguments);
    const spans = needles
      .filter(({ length }) => length >= shortestSpanning && length <= longestSpanning)
      .map((needle) => ({ needle, seen: 0 }));
    for (const message of messages) {
      if (message.role === 'assistant') {
        const isOwn = message.toolCalls?.some((made) => signatureOf(made.name, made.arguments) === signature);
        if (isOwn === true) return false;
      }
      if (message.role !== 'tool' && message.role !== 'user') continue;
      const heard = hear(message);
      if (heard.forms.some((form) => needles.some((needle) => hasWord(form, needle)))) return true;
      if (callsIn(heard, tools).has(`${familyOf(call.envelope)} ${signature}`)) return true;
      for (const span of spans) if (goesOn(span, heard.forms)) return true;
    }
    return false;
  };
}

/** The forms of a call's text, with its code fence and without. */
function needlesOf(text: string): readonly string[] {
  const bare = text.replace(/^\s*`{3,}[^\n]*\n/, '').replace(/\n?`{3,}\s*$/, '');
  return [...new Set([text, bare].flatMap(comparableForms))].filter((needle) => needle !== '');
}

/** Whether a text stands in another, and not as the end of a longer word. */
function hasWord(form: string, needle: string): boolean {
  const isWord = /^\w/.test(needle);
  for (let at = form.indexOf(needle); at !== -1; at = form.indexOf(needle, at + 1))
    if (!isWord || !/\w/.test(form[at - 1] ?? '')) return true;
  return false;
}

/** Whether a call that began at the end of messages before ends at the beginning of a message. */
function goesOn(span: { readonly needle: string; seen: number }, forms: readonly string[]): boolean {
  const { needle } = span;
  const reach = needle.length + spanSlack;
  const most = needle.length - 1;
  for (const form of forms) {
    const head = form.slice(0, reach);
    const ending = longest(most, (length) => head.includes(needle.slice(needle.length - length)));
    // A blank between two words may be where the first half ended.
    const seen = needle[span.seen] === wordBreak ? span.seen + 1 : span.seen;
    if (ending > 0 && seen + ending >= needle.length) return true;
  }
  for (const form of forms) {
    const tail = form.slice(-reach);
    span.seen = Math.max(
      span.seen,
      longest(most, (length) => tail.includes(needle.slice(0, length))),
    );
  }
  return false;
}

/** The greatest length for which something holds that holds for all that are smaller. */
function longest(most: number, holds: (length: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function callsIn(heard: Heard, tools: readonly CallableTool[]): ReadonlySet<string> {
  const key = tools.map(({ name }) => name).join('\n');
  const known = heard.calls.get(key);
  if (known) return known;
  const plain = heard.texts.map(withoutUntrustedMarks);
  const calls = new Set<string>();
  for (const text of new Set([...plain, ...plain.map(withoutLineAnchors)]))
    for (const call of extractToolCalls(text, { tools, stopped: 'stop', startsInReasoning: false }).calls)
      calls.add(`${familyOf(call.envelope)} ${signatureOf(call.name, call.arguments)}`);
  heard.calls.set(key, calls);
  return calls;
}

/** JSON is the same within a code fence and without. */
function familyOf(envelope: string): string {
  return envelope === 'fenced' ? 'bare-json' : envelope;
}

function signatureOf(name: string, args: unknown): string {
  return JSON.stringify([name, inOrder(args)]);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Readonly<Record<string, unknown>>);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

function hear(message: Message): Heard {
  const known = heardIn.get(message);
  if (known) return known;
  const texts: string[] = [];
  if (typeof message.content === 'string') texts.push(message.content);
  else
    for (const part of message.content) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'json') collectStrings(part.value, texts, 0);
    }
  // A call may begin in one part and end in the next.
  if (texts.length > 1) texts.push(texts.join('\n'));
  const heard: Heard = { texts, forms: texts.flatMap(comparableForms), calls: new Map() };
  heardIn.set(message, heard);
  return heard;
}

function collectStrings(value: unknown, into: string[], depth: number): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'object' && value !== null && depth < deepest) {
    // A call as data is quoted as JSON.
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
