import { type GrowingText, matchAt, needleAt, type Reading } from '../../source/growing-text.ts';
import { goTo, passUntil, type Scan } from './scan-state.ts';

export function* passProse(scan: Scan): Reading<boolean> {
  const { source, state, queue } = scan;
  const { at } = state;
  const reasoning = scan.isInReasoning() ? undefined : yield* readReasoning(source, at);
  if (reasoning !== undefined) {
    const { closers, inside } = reasoning;
    if (!scan.openRegion({ isReasoning: true, closers, inside })) goTo(state, inside);
    return true;
  }
  const closer = state.mayBeReasoning ? yield* needleAt(source, lostReasoningClosers, at) : undefined;
  if (closer !== undefined) {
    yield* leaveReasoning(scan, at + closer.length);
    return true;
  }
  const quotation = yield* readQuotation(source, at, state.isLineStart);
  if (quotation === undefined) return false;
  const { closer: end, inside, isCertain, isReported } = quotation;
  // Marks inside a marked text have no further meaning.
  if (isReported && scan.isUntrusted) return false;
  if (isCertain) {
    const start = source.base + inside;
    const texts: string[] = [];
    goTo(state, inside);
    queue.pass(inside);
    queue.isUntrusted = isReported;
    yield* passUntil(scan, [end], 0, isReported ? (text) => void texts.push(text) : undefined);
    queue.pass(state.at);
    queue.isUntrusted = false;
    if (isReported) scan.reportCalls(texts.join(''), start);
    return true;
  }
  if (state.quotations >= maxOpenDocuments) return false;
  if (scan.openRegion({ isReasoning: false, closers: [end], inside })) return true;
  state.quotations += 1;
  goTo(state, inside);
  return true;
}

const maxOpenDocuments = 8;

/** The end of reasoning may itself turn out to be only mentioned. */
export function* leaveReasoning(scan: Scan, end: number): Reading<void> {
  while (scan.hasOpenRegion()) yield () => !scan.hasOpenRegion();
  scan.leaveReasoning(end);
}

/** Texts that may begin reasoning, with the texts that end it. */
const reasoningTokens: readonly (readonly [string, string])[] = [
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|thinking|>', '<|/thinking|>'],
  ['<|think|>', '<|/think|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
];

const openingTokens = reasoningTokens.map(([opener]) => opener);

const reasoningTagPattern =
  /<((?:[a-z]{1,12}:)?(?:think|thinking|thoughts?|thought_process|reasoning|reason|reflection|scratchpad|analysis|inner_monologue|internal_reasoning|chain_of_thought|cot))(?:\s[^<>\n]{0,199})?>/iy;

/** Texts that end reasoning, in addition to the closing tag. */
export const reasoningClosers: readonly string[] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reflection', 'scratchpad', 'seed:think'].map(
    (tag) => `</${tag}>`,
  ),
  '[/THINK]',
  '◁/think▷',
  '<|END_THINKING|>',
];

/** Open reasoning: the texts that end it, and the offset of its content. */
interface Reasoning {
  readonly closers: readonly string[];
  readonly inside: number;
}

function* readReasoning(source: GrowingText, at: number): Reading<Reasoning | undefined> {
  const token = yield* needleAt(source, openingTokens, at);
  if (token !== undefined) {
    const closer = reasoningTokens.find(([opener]) => opener === token)?.[1] ?? token;
    const closers = reasoningClosers.includes(closer) ? reasoningClosers : [closer];
    return { closers, inside: at + token.length };
  }
  const [tag, name] = (yield* matchAt(source, reasoningTagPattern, at)) ?? [];
  if (tag === undefined || name === undefined || tag.endsWith('/>')) return undefined;
  const isTool = !/^think(?:ing)?$/i.test(name) && source.tools.some((tool) => tool.name === name);
  const own = [`</${name}>`, `</${name} >`].filter((closer) => !reasoningClosers.includes(closer));
  return isTool ? undefined : { closers: [...reasoningClosers, ...own], inside: at + tag.length };
}

/** The texts that end reasoning whose opening tag was written by the template. */
export const lostReasoningClosers: readonly string[] = reasoningClosers.filter(
  (closer) => !['</thoughts>', '</reflection>', '</scratchpad>'].includes(closer),
);

// Results that a model repeats. The model did not write their content.
const echoPattern =
  /<(?:((?:tool|function|command|search|mcp|api)[_-]?(?:responses?|results?|outputs?))(?:\s(?:"[^"\n]{0,199}"|[^<>\n"]){0,199})?|\|tool_(?:response|result|output)(?:\|)?)>/iy;

// Documents, examples and results that it shows.
const documentPattern =
  /<(files?|file_contents?|documents?|document_contents?|examples?|web_?page|observation|stdout|stderr|source_code|email|results?|context|quote|blockquote|details|transcript|system-reminder)(?:\s[^<>\n]{0,199})?>/iy;

// Marks around untrusted text, as in tool results: `<untrusted-0a1b2c3d>`.
const untrustedPattern = /<(untrusted(?:-[\w-]{1,64})?)(?:\s[^<>\n]{0,199})?>/iy;
const commentOpener = '<!--';

// Without content, it may only be at the position of a tag.
const emptyCommentPattern = /<!--\s{0,9}-->/y;

/** An open quotation: the text that ends it, and the offset of its content. */
interface Quotation {
  readonly closer: string;
  readonly inside: number;
  /** Whether it counts even if it never ends. */
  readonly isCertain: boolean;
  /** Whether calls in it are reported as rejected. */
  readonly isReported: boolean;
}

/** Reads the tag at an offset that begins a quotation. A document can begin only at the start of a line. */
function* readQuotation(source: GrowingText, at: number, isLineStart: boolean): Reading<Quotation | undefined> {
  if ((yield* matchAt(source, emptyCommentPattern, at)) !== null) return undefined;
  if ((yield* needleAt(source, [commentOpener], at)) !== undefined) {
    return { closer: '-->', inside: at + commentOpener.length, isCertain: false, isReported: false };
  }
  const untrusted = yield* matchAt(source, untrustedPattern, at);
  const echo = untrusted ?? (yield* matchAt(source, echoPattern, at));
  const match = echo ?? (isLineStart ? yield* matchAt(source, documentPattern, at) : null);
  if (match === null) return undefined;
  const [tag, name] = match;
  if (tag.endsWith('/>') || source.tools.some((tool) => tool.name === name)) return undefined;
  const closer = name === undefined ? closerOfToken(tag) : `</${name}>`;
  return { closer, inside: at + tag.length, isCertain: echo !== null, isReported: untrusted !== null };
}

/** `<|tool_response>…<tool_response|>`, `<|tool_response|>…<|/tool_response|>` */
function closerOfToken(token: string): string {
  const name = token.replaceAll(/[<|>]/g, '');
  return token.endsWith('|>') ? `<|/${name}|>` : `<${name}|>`;
}
