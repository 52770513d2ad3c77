/** Characters without width: combining marks, joiners and variation selectors. */
const unseen = /^(?:\p{M}|[\u200b-\u200d])$/u;

/** Characters of two columns: East Asian scripts and emoji. */
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/** Width of a character in terminal columns: 0, 1 or 2. */
export function columnsOf(character: string): 0 | 1 | 2 {
  if (character < '\u0300') return 1;
  return unseen.test(character) ? 0 : wide.test(character) ? 2 : 1;
}
