import { looseTags, reasoningTags } from '../../../json/text/reasoning.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import type { Scan } from './scan.ts';

/** Passes reasoning, comments, documents and results at the scan's offset. Returns false if none begins there. */
export function* passProse(scan: Scan): Reading<boolean> {
  const { source, state } = scan;
  const { at } = state;
  const reasoning = scan.isInReasoning() ? undefined : yield* readReasoning(source, at);
  if (reasoning !== undefined) {
    const { closers, inside } = reasoning;
    if (!scan.openRegion(true, inside, closers)) scan.goTo(inside);
    return true;
  }
  const closer = state.mayBeReasoning ? yield* source.needleAt(lostReasoningClosers, at) : undefined;
  if (closer !== undefined) {
    yield* endReasoning(scan, at + closer.length);
    return true;
  }
  return yield* passMarkedText(scan);
}

/** The end of reasoning may itself turn out to be only mentioned. */
export function* endReasoning(scan: Scan, end: number): Reading<void> {
  while (scan.hasOpenRegion()) yield () => !scan.hasOpenRegion();
  scan.endReasoning(end);
}

/** Texts that end reasoning, in addition to the closing tag. */
export const reasoningClosers: readonly string[] = [
  ...[...reasoningTags, ...looseTags].map((tag) => `</${tag}>`),
  '[/THINK]',
  '◁/think▷',
  '<|END_THINKING|>',
];

/** Texts that may begin reasoning, with the texts that end it. */
const closersByToken: Readonly<Record<string, readonly string[]>> = {
  '[THINK]': reasoningClosers,
  '◁think▷': reasoningClosers,
  '<|START_THINKING|>': reasoningClosers,
  '<|begin_of_thought|>': ['<|end_of_thought|>'],
  '<|thinking|>': ['<|/thinking|>'],
  '<|think|>': ['<|/think|>', '<|end|>'],
  '<|channel|>analysis<|message|>': ['<|end|>'],
  '<|channel>thought': ['<channel|>'],
};

const openingTokens = Object.keys(closersByToken);

const reasoningTagPattern =
  /<((?:[a-z]{1,12}:|longcat_)?(?:think|thinking|thoughts?|thought_process|reasoning(?:_content)?|reason|rationale|reflection|scratch_?pad|analysis|inner_monologue|internal_reasoning|chain_of_thought|cot))(?:\s[^<>\n]{0,199})?>/iy;

/** Reads the beginning of reasoning at an offset: the texts that end it, and the offset of its content. */
function* readReasoning(
  source: GrowingText,
  at: number,
): Reading<{ readonly closers: readonly string[]; readonly inside: number } | undefined> {
  const token = yield* source.needleAt(openingTokens, at);
  if (token !== undefined) return { closers: closersByToken[token] ?? [], inside: at + token.length };
  const [tag, name] = (yield* source.matchAt(reasoningTagPattern, at)) ?? [];
  if (tag === undefined || name === undefined || tag.endsWith('/>')) return undefined;
  const isTool = !/^think(?:ing)?$/i.test(name) && source.tools.some((tool) => tool.name === name);
  const own = [`</${name}>`, `</${name} >`].filter((closer) => !reasoningClosers.includes(closer));
  return isTool ? undefined : { closers: [...reasoningClosers, ...own], inside: at + tag.length };
}

/** The texts that end reasoning whose opening tag was written by the template. */
export const lostReasoningClosers: readonly string[] = reasoningClosers.filter(
  (closer) => !looseTags.includes(closer.slice(2, -1)),
);

// Results that a model repeats. The model did not write their content.
const echoPattern =
  /<(?:((?:tool|function|command|search|mcp|api)[_-]?(?:responses?|results?|outputs?))(?:\s(?:"[^"\n]{0,199}"|[^<>\n"]){0,199})?|\|tool_(?:response|result|output)(?:\|)?|start_function_response)>/iy;

// Documents, examples and results that it shows.
const documentPattern =
  /<!--|<(files?|file_contents?|documents?|document_contents?|examples?|web_?page|observation|stdout|stderr|source_code|email|results?|context|quote|blockquote|details|transcript|system-reminder)(?:\s[^<>\n]{0,199})?>/iy;

// Marks around untrusted text, as in tool results: `<untrusted-0a1b2c3d>`.
const untrustedPattern = /<(untrusted(?:-[\w-]{1,64})?)(?:\s[^<>\n]{0,199})?>/iy;
const commentPattern = /<!--/y;

// Maximum number of open documents.
const maxOpenDocuments = 8;

/** Passes the mark before a comment, a document, an echoed result or an untrusted text, and the text if it is certainly one. */
function* passMarkedText(scan: Scan): Reading<boolean> {
  const { source, state, queue } = scan;
  const { at } = state;
  const untrusted = yield* source.matchAt(untrustedPattern, at);
  const echo = untrusted ?? (yield* source.matchAt(echoPattern, at));
  const match = echo ?? (yield* source.matchAt(state.isLineStart ? documentPattern : commentPattern, at));
  if (match === null) return false;
  const [tag, name] = match;
  if (tag.endsWith('/>') || source.tools.some((tool) => tool.name === name)) return false;
  const closer = tag === '<!--' ? '-->' : name === undefined ? closerOfToken(tag) : `</${name}>`;
  const inside = at + tag.length;
  // Marks inside a marked text have no further meaning.
  if (untrusted !== null && scan.reportCalls === undefined) return false;
  if (echo === null) {
    // After a call, the model made up such a result, and the calls after it depend on it.
    state.isOtherTurn ||= state.callsEnd > 0 && /^(?:results?|observation|stdout|stderr)$/i.test(name ?? '');
    if (state.openDocuments >= maxOpenDocuments) return false;
    if (scan.openRegion(false, inside, [closer])) return true;
    state.openDocuments += 1;
    scan.goTo(inside);
    return true;
  }
  if (untrusted === null) state.isOtherTurn ||= state.callsEnd > 0;
  const start = source.base + inside;
  const texts: string[] = [];
  scan.goTo(inside);
  queue.pass(inside);
  queue.isUntrusted = untrusted !== null;
  yield* scan.passUntil([closer], (text) => void texts.push(text));
  queue.pass(state.at);
  queue.isUntrusted = false;
  if (untrusted !== null) scan.reportCalls?.(texts.join(''), start);
  return true;
}

/** `<|tool_response>…<tool_response|>`, `<|tool_response|>…<|/tool_response|>` */
function closerOfToken(token: string): string {
  const name = token.replaceAll(/[<|>]/g, '');
  if (name.startsWith('start_')) return `<end_${name.slice(6)}>`;
  return token.endsWith('|>') ? `<|/${name}|>` : `<${name}|>`;
}
