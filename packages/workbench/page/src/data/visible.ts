/** Shows characters that would change how the text is displayed as their code. */
export function visible(text: string): string {
  // Controls other than line breaks and tabs, characters that change the direction of text, and invisible ones such as tag
  // characters, which hide whole sentences. The variation selector of emoji stays.
  return text.replaceAll(
    /(?!\t|\n|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
