import type { ExtractedCall, RejectReason, RepairRisk } from '@haft/repair';

/** The risk of a reading, explained for users. */
export const riskInWords: Readonly<Record<'none' | RepairRisk, string>> = {
  none: 'Valid. Nothing was changed.',
  safe: 'Repaired. No other reading is possible.',
  lossy: 'Repaired with a choice: the repairs marked lossy left something out, or chose one of several readings.',
  truncated: 'Cut. The text ends inside the value; do not act on it.',
};

/** One word for a risk. */
export const riskName: Readonly<Record<'none' | RepairRisk, string>> = {
  none: 'valid',
  safe: 'safe',
  lossy: 'lossy',
  truncated: 'truncated',
};

/** Says whether Haft runs a call that was read from a text. Permissions are asked afterwards. */
export function runsInWords({ complete, risk }: Pick<ExtractedCall, 'complete' | 'risk'>, isCut: boolean): string {
  if (!complete) return 'Haft runs it only if the tool is read-only: the closing bracket of its arguments is missing.';
  if (isCut && risk === 'lossy') return 'Haft runs it only if the tool is read-only: the text was cut off.';
  return 'Haft runs it, if the permissions allow it: the closing bracket of its arguments is in the text.';
}

/** Describes whether the text contains the end of the value. */
export function completeInWords(isComplete: boolean): string {
  return isComplete ? 'Complete: its own end is in the text.' : 'Not complete: its own end is missing.';
}

/** The reason why a text that looks like a call is not extracted. */
export function reasonInWords(reason: RejectReason): string {
  const words: Readonly<Record<RejectReason, string>> = {
    incomplete: 'its arguments were cut, or have damage that leaves several meanings',
    unknown_tool: 'no declared tool has this name',
    invalid_json: 'its arguments cannot be read without guessing, or it does not name its tool',
    invalid_arguments: 'its arguments are not an object, or required ones are missing',
    reasoning: 'it is inside reasoning whose opening tag is missing',
    repeated: 'it repeats an earlier call of the text',
    quotation: 'it is between quotation marks, or between marks of untrusted text',
    another_turn: 'it is in the turn of another speaker, which the model made up',
    mentioned: 'the text only mentions the tool and its arguments, for example in a sentence or as a command',
  };
  return words[reason];
}

/** `1 repair`, `2 repairs`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Makes invisible characters visible, so that their repairs are, too. */
export function withVisibleBlanks(text: string): string {
  return text
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/(?!\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\p{Default_Ignorable_Code_Point}]/gu, (one) =>
      one.length === 1 ? `\\u${codeOf(one).padStart(4, '0')}` : `\\u{${codeOf(one)}}`,
    );
}

function codeOf(character: string): string {
  return character.codePointAt(0)!.toString(16);
}
