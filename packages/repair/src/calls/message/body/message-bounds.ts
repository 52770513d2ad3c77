import { type GrowingText, matchAt, type Reading } from '../../source/growing-text.ts';

// What templates leave behind around an answer, and a speaker's label. Each is short, and one is tried at a time.
const tagPatterns = String.raw`<\/?(?:tool_calls?|function_calls?|tools?|response|answer|assistant)>`;

const tokenPatterns = String.raw`<\/?s>|<\|[^|<>\n]{1,40}\|>|\[\/?INST\]|<(?:start|end)_of_turn>`;

/** What may stand before the beginning of a message. */
export const residueBefore: RegExp = new RegExp(
  `${tokenPatterns}|${tagPatterns}|tool_calls?>|(?:assistant|Assistant|ASSISTANT)(?=[:\\n<])|:(?=\\s)|\\*\\*(?=[[{\\w])`,
  'y',
);

// A model that nobody stopped goes on with the turn of the next speaker.
const residueParts = `${tokenPatterns}|${tagPatterns}|Observation:|\`\`\`|\\*\\*|(?<=>)(?:user|model|assistant|system)\\b|[\\s;.]`;

const residuePattern = `(?:${residueParts})*`;

const wholeResidue = new RegExp(`^${residuePattern}$`);

// Also one that is not whole yet.
const begunResidue = new RegExp(
  `^${residuePattern}(?:<[^<>\\n]{0,44}|\\[[/INST]{0,5}|(?<=>)[a-z]{0,9}|O[bservation]{0,10}|\`{1,2}|\\*)?$`,
);

const maxResidueLength = 400;

/** Whether a text is nothing but what may stand behind the end of a message. */
export function isResidueAfter(text: string): boolean {
  return text.length <= maxResidueLength && wholeResidue.test(text);
}

/** Whether a text may still become nothing but that. */
export function mayBeResidueAfter(text: string): boolean {
  return text.length <= maxResidueLength && begunResidue.test(text);
}

const residueAtEnd = new RegExp(`(?:${residueParts})+$`);

/** Where a message ends, before the tokens of a template and closing punctuation. */
export function messageEnd(text: string): number {
  const noise = residueAtEnd.exec(text.slice(-maxResidueLength));
  return text.length - (noise?.[0].length ?? 0);
}

// A speaker's label on a line of its own or before a colon, as templates and transcripts write it.
const turnPattern =
  /(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\||### ?)?(?:user|human|User|Human|USER|HUMAN|Instruction)(?:\|>|<\|end_header_id\|>)?[ \t]{0,9}(?:\r?\n|:(?=\s))|(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>)(?:assistant|model|tool|system)|\[INST\]/y;

/** Whether another turn begins at the beginning of a line: that of a user, or of the model once more. */
export function* beginsOtherTurn(source: GrowingText, at: number): Reading<boolean> {
  return (yield* matchAt(source, turnPattern, at)) !== null;
}
