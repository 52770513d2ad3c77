const halfOpener = /^\s{0,9}(?:param(?:eter)?\s?)?(?:name)?=?["']?([\w.-]{1,64})(?:<\/|["'][^<>\n]{0,40}>|>)/;

/** `</parameter>⏎cwd">/tmp`: returns whether the end of another argument's opener follows a closer in a value. */
export function hasHalfOpener(value: string, closer: string, isDue: (key: string) => boolean): boolean {
  const [, ...rests] = value.split(closer);
  return rests.some((rest) => isDue(halfOpener.exec(rest)?.[1] ?? ''));
}
