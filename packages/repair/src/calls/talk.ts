import { matchAt, type GrowingText, type Reading } from './growing-text.ts';

const REASONING: readonly (readonly [string, string])[] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reflection', 'scratchpad', 'seed:think'].map(
    (tag): [string, string] => [`<${tag}>`, `</${tag}>`],
  ),
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
];

/** What reasoning begins with. */
export const reasoningOpeners: readonly string[] = REASONING.map(([opener]) => opener);

/** What reasoning ends with. */
export const reasoningClosers: readonly string[] = REASONING.map(([, closer]) => closer);

/** What ends reasoning that a template began, so that its opening tag is not in the text. */
export const lostReasoningClosers: readonly string[] = reasoningClosers.filter(
  (closer) => !['</thoughts>', '</reflection>', '</scratchpad>'].includes(closer),
);

// Results that a model repeats: what stands in them was not said by it.
const ECHO =
  /<(?:((?:tool|function|command|search|mcp|api)[_-]?(?:responses?|results?|outputs?))(?:\s(?:[^<>\n]{0,199}[^<>\n/])?)?|\|tool_response)>/iy;
// Documents and examples that it shows.
const SHOWN =
  /<(files?|file_contents?|documents?|document_contents?|examples?|web_?page|observation|stdout|stderr|source_code|email)(?:\s(?:[^<>\n]{0,199}[^<>\n/])?)?>/iy;

/** Something that is quoted: what ends it, and where what is quoted begins. */
export interface Quotation {
  readonly closer: string;
  readonly inside: number;
  /** Whether it is one even if it never ends. */
  readonly isCertain: boolean;
}

/** Reads the tag at an offset that begins a quotation; a document only begins at the beginning of a line. */
export function* readQuotation(source: GrowingText, at: number, isLineStart: boolean): Reading<Quotation | undefined> {
  const echo = yield* matchAt(source, ECHO, at);
  const match = echo ?? (isLineStart ? yield* matchAt(source, SHOWN, at) : null);
  if (match === null) return undefined;
  const [tag, name] = match;
  const isTool = source.tools.some((tool) => tool.name === name);
  const closer = name === undefined ? '<tool_response|>' : `</${name}>`;
  return isTool ? undefined : { closer, inside: at + tag.length, isCertain: echo !== null };
}
