/** What takes no column: marks on the character before, joiners, and the choice of a picture. */
const unseen = /^(?:\p{M}|[\u200b-\u200d])$/u;

/** What takes two columns: the scripts and signs of East Asia, and pictures. */
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/** Columns of a terminal that a character takes: 0, 1 or 2. */
export function columnsOf(character: string): 0 | 1 | 2 {
  if (character < '\u0300') return 1;
  return unseen.test(character) ? 0 : wide.test(character) ? 2 : 1;
}
