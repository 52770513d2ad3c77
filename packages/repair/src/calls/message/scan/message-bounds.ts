// What templates leave behind around an answer, and a speaker's label. Each is short, and one is tried at a time.
const TAGS = String.raw`<\/?(?:tool_calls?|function_calls?|tools?|response|answer|assistant)>`;
const TOKENS = String.raw`<\/?s>|<\|[^|<>\n]{1,40}\|>|\[\/?INST\]|<(?:start|end)_of_turn>`;

/** What may stand before the beginning of a message. */
export const noiseBefore: RegExp = new RegExp(
  `${TOKENS}|${TAGS}|tool_calls?>|(?:assistant|Assistant|ASSISTANT)(?=[:\\n<])|:(?=\\s)|\\*\\*(?=[[{\\w])`,
  'y',
);

// A model that nobody stopped goes on with the turn of the next speaker.
const AFTER_PARTS = `${TOKENS}|${TAGS}|Observation:|\`\`\`|\\*\\*|(?<=>)(?:user|model|assistant|system)\\b|[\\s;.]`;
const NOISE_AFTER = `(?:${AFTER_PARTS})*`;
const AFTER = new RegExp(`^${NOISE_AFTER}$`);
// Also one that is not whole yet.
const BEGUN_AFTER = new RegExp(
  `^${NOISE_AFTER}(?:<[^<>\\n]{0,44}|\\[[/INST]{0,5}|(?<=>)[a-z]{0,9}|O[bservation]{0,10}|\`{1,2}|\\*)?$`,
);
const REACH = 400;

/** Whether a text is nothing but what may stand behind the end of a message. */
export function isNoiseAfter(text: string): boolean {
  return text.length <= REACH && AFTER.test(text);
}

/** Whether a text may still become nothing but that. */
export function mayBeNoiseAfter(text: string): boolean {
  return text.length <= REACH && BEGUN_AFTER.test(text);
}

const TAIL = new RegExp(`(?:${AFTER_PARTS})+$`);

/** Where a message ends, before the tokens of a template and closing punctuation. */
export function messageEnd(text: string): number {
  const noise = TAIL.exec(text.slice(-REACH));
  return text.length - (noise?.[0].length ?? 0);
}
