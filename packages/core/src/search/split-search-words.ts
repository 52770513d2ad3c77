/** Maximum number of characters to index: twice the length of a description of 8 KB. */
const maxCharacters = 32_000;

/**
 * Splits a name or a sentence into lowercase words: `createPullRequest` and `create_pull_request` both have three
 * words. Scripts without spaces between words are split into pairs of adjacent characters.
 */
export function splitWords(text: string): string[] {
  const spaced = text
    .slice(0, maxCharacters)
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => splitRun(word.toLowerCase()));
}

const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function splitRun(word: string): string[] {
  if (!unspaced.test(word)) return [withoutEnding(word)];
  const characters = Array.from(word);
  return characters.length === 1 ? characters : characters.slice(1).map((next, at) => `${characters[at] ?? ''}${next}`);
}

/**
 * Removes plural endings, so that "issues" matches "issue" and "files" matches "file". Leaves shorter words unchanged.
 */
function withoutEnding(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
