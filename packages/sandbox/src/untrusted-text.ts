import { randomUUID } from 'node:crypto';

/** Terminal sequences: colours, cursor moves, titles. */
// eslint-disable-next-line no-control-regex
const escapeSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Control characters but tab and line ends; bidirectional overrides; invisible and tag characters, which can carry hidden text. */
const hidden =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

/** Everything that is taken out or replaced below, and a little of what is not: halves of characters that are whole. */
const suspect =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0]/;

/** Takes out of remote text what people would not see but a model would read, and what acts on a terminal. */
export function cleanText(text: string): string {
  // Nearly every text is clean, which one look tells.
  if (!suspect.test(text)) return text;
  return text
    .replace(escapeSequences, '')
    .replace(hidden, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Marks around text of which nobody knows who wrote it. */
export interface Fence {
  /** What stands between the angle brackets of both marks. */
  readonly mark: string;
  /** Puts the marks around a text. */
  wrap(text: string): string;
}

/**
 * Makes marks for one answer. They hold a random number that whoever wrote the text could not know, so that nothing in it can
 * end them; say beside the text what they mean.
 */
export function createFence(): Fence {
  // Node draws these in bulk, at a twentieth of the time that a call of the system takes; these 64 bits are random.
  const id = randomUUID();
  const mark = `untrusted-${id.slice(0, 8)}${id.slice(-8)}`;
  return { mark, wrap: (text) => `<${mark}>\n${text}\n</${mark}>` };
}
