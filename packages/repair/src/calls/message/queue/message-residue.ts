import { madeUpResult, stepNumber } from '../../source/agent-labels.ts';

// Template residue around an answer, and the label of a speaker. Each token is short, and one is tried at a time.
const tagPatterns = String.raw`<\/?(?:tool_calls?|function_calls?|tools?|functions?|calls?|actions?|response|(?:final_)?answer|output|assistant|code|python)>`;
/** Matches a token of a chat template, as the source of a pattern. */
export const tokenPatterns: string = String.raw`<\/?s>|<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|\[\/?INST\]|<start_of_turn>|<(?:end|eo)[_a-z]{1,14}>|<bot_end>`;

// Symbols that models put before a call. Others, such as ✅ and 🚫, may say that it was made or must not be.
const toolSymbol = '(?:🔧|🛠|⚙)\ufe0f?';

/** Matches template residue or the symbol of a tool at the beginning of a message. */
export const residueBefore: RegExp = new RegExp(
  `<start_of_turn>model(?=\\n)|${tokenPatterns}|${tagPatterns}|tool_calls?>|(?:assistant|Assistant|ASSISTANT)(?::(?=\\s)|(?=[:\\n<]))|\\*\\*(?=[[{\\w])|\\\\(?=[[{])|${toolSymbol}(?=\\s?[[{\\w])|'''\\w{0,12}(?=\n)|\\\\boxed\\{`,
  'y',
);

// Without a stop token, a model continues with the turn of the next speaker.
const residueParts = `${tokenPatterns}|${tagPatterns}|Observation${stepNumber}:|\`\`\`|'''|\\*\\*|(?<=[>\\])}]\\s{0,4})(?:user|model|assistant|system)\\b|[\\s;.]`;
const residuePattern = `(?:${residueParts})*`;
const wholeResidue = new RegExp(`^${residuePattern}$`);

// The last token may be incomplete.
const begunResidue = new RegExp(
  `^${residuePattern}(?:<[^<>\\n]{0,44}|\\[[/INST]{0,5}|(?<=>)[a-z]{0,9}|O[bservation]{0,10}|\`{1,2}|\\*)?$`,
);

const maxResidueLength = 400;

/** Returns whether a text is only residue after the end of a message. */
export function isResidueAfter(text: string): boolean {
  return text.length <= maxResidueLength && wholeResidue.test(text);
}

/** Returns whether a text may still become such residue. */
export function mayBeResidueAfter(text: string): boolean {
  return text.length <= maxResidueLength && begunResidue.test(text);
}

const residueAtEnd = new RegExp(`(?:${residueParts})+$`);

/** Returns the end of a message, before template tokens and closing punctuation. */
export function messageEnd(text: string): number {
  const residue = residueAtEnd.exec(text.slice(-maxResidueLength));
  return text.length - (residue?.[0].length ?? 0);
}

/** Matches the label of another speaker on a line of its own or before a colon, or a result that the model made up. */
export const turnPattern: RegExp = new RegExp(
  String.raw`(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\||### ?)?(?:user|human|User|Human|USER|HUMAN|Instruction)(?:\|>|<\|end_header_id\|>)?[ \t]{0,9}(?:\r?\n|:(?=\s))|(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>)(?:assistant|model|tool|system|ipython|environment)|<\|observation\|>|<\|start\|>(?:functions\.|tool|user)|<[|｜]tool[▁_ ]outputs?[▁_ ]begin[|｜]>|\[(?:INST|TOOL_RESULTS?)\]|<\|im_system\|>tool|<\|START_TOOL_RESULT\|>|<\|from\|>(?!assistant)|\[\[ ## observation|response:(?=\w)|<response>(?!\s{0,9}[{[<])|[*[]{0,3}[Tt]ool[ _](?:[Rr]es(?:ult|ponse)|[Oo]utput)s?(?:[ \t]{1,3}(?:\([^\n()]{1,64}\)|#?\d{1,9}|[a-z]{2,9}_[\w-]{1,64}|for [^\s:]{1,64}))?[*\]]{0,3}:|${madeUpResult}`,
  'y',
);
