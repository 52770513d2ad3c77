import type { RejectReason, RepairRisk } from '@haft/repair';

/** What the risk of a reading means for whoever acts on it. */
export const riskInWords: Readonly<Record<'none' | RepairRisk, string>> = {
  none: 'Valid as it stands. Nothing was changed.',
  safe: 'Repaired. No other reading is possible.',
  lossy: 'Repaired with a choice: something was dropped, or one reading was taken among several.',
  truncated: 'Cut. The text ended before the value did; it must not be acted on.',
};

/** One word for a risk. */
export const riskName: Readonly<Record<'none' | RepairRisk, string>> = {
  none: 'valid',
  safe: 'safe',
  lossy: 'lossy',
  truncated: 'truncated',
};

/** Says whether the value's own end stands in the text. */
export function completeInWords(isComplete: boolean): string {
  return isComplete ? 'Complete: its own end stands in the text.' : 'Not complete: its own end is missing.';
}

/** Why something that looks like a call is none. */
export function reasonInWords(reason: RejectReason): string {
  const words: Readonly<Record<string, string>> = {
    incomplete: 'its arguments were cut',
    unknown_tool: 'no declared tool has this name',
    invalid_json: 'its body can not be read',
    invalid_arguments: 'its arguments are no object, or required ones are missing',
    reasoning: 'it stands in reasoning whose opening tag is missing',
    repeated: 'it says again what opened the message',
  };
  return words[reason] ?? reason;
}

/** `1 repair`, `2 repairs`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Text with what can not be seen spelled out, so that a repair of it can be. */
export function withVisibleBlanks(text: string): string {
  return text
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(
      /[\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
