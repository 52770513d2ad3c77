// What templates leave behind around an answer, and a speaker's label. Each is short, and one is tried at a time.
const TAGS = String.raw`<\/?(?:tool_calls?|function_calls?|tools?|response|answer|assistant)>`;
const TOKENS = String.raw`<\/?s>|<\|[^|<>\n]{1,40}\|>`;

/** What may stand before the beginning of a message. */
export const noiseBefore: RegExp = new RegExp(
  `${TOKENS}|${TAGS}|(?:assistant|Assistant|ASSISTANT)(?=[:\\n<])|:(?=\\s)|\\*\\*(?=[[{\\w])`,
  'y',
);

const NOISE_AFTER = `(?:${TOKENS}|${TAGS}|<end_of_turn>|Observation:|\`\`\`|\\*\\*|[\\s;.])*`;
const AFTER = new RegExp(`^${NOISE_AFTER}$`);
// Also one that is not whole yet.
const BEGUN_AFTER = new RegExp(`^${NOISE_AFTER}(?:<[^<>\\n]{0,44}|O[bservation]{0,10}|\`{1,2}|\\*)?$`);
const REACH = 400;

/** Whether a text is nothing but what may stand behind the end of a message. */
export function isNoiseAfter(text: string): boolean {
  return text.length <= REACH && AFTER.test(text);
}

/** Whether a text may still become nothing but that. */
export function mayBeNoiseAfter(text: string): boolean {
  return text.length <= REACH && BEGUN_AFTER.test(text);
}

const TAIL = new RegExp(`(?:${TOKENS}|${TAGS}|<end_of_turn>|Observation:|\`\`\`|\\*\\*|[\\s;.])+$`);

/** Where a message ends, before the tokens of a template and closing punctuation. */
export function messageEnd(text: string): number {
  const noise = TAIL.exec(text.slice(-REACH));
  return text.length - (noise?.[0].length ?? 0);
}
