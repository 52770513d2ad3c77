const elided =
  /^[ \t]*(?:\/\/+|#+|\/\*+|<!--|--|;+|%+|\{\/\*|\*)?[ \t]*[([]?(?:\.{3}|…)[ \t]*(?:the[ \t]+)?(?:rest|remaining|remainder|existing|unchanged|previous|other|same)\b[^\n]*$|^[ \t]*(?:\/\/+|#+|\/\*+|<!--|--|;+|%+|\{\/\*|\*)[ \t]*(?:the[ \t]+)?(?:rest|remainder) of (?:the |your |this )?(?:code|file|content|function|class|method|implementation|component|document)\b[^\n]*(?:unchanged|same|here|\.{3}|…)[^\n]*$/im;

/**
 * Finds a line that replaces omitted text ("... rest of the code") and does not occur in `known`. Writing such a line
 * to the file would delete the omitted code.
 */
export function findElision(text: string, known: string): string | undefined {
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.length < 300 && elided.test(line) && !known.includes(line.trim())) return line.trim();
  }
  return undefined;
}
