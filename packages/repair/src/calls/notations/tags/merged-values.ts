const halfOpener = /^\s{0,9}(?:param(?:eter)?\s?)?(?:name)?=?["']?([\w.-]{1,64})(?:<\/|["'][^<>\n]{0,40}>|>)/;

/** `</parameter>⏎cwd">/tmp`: returns whether the end of another argument's opener follows a closer in a value. */
export function hasHalfOpener(value: string, closer: string, isDue: (key: string) => boolean): boolean {
  const [, ...rests] = value.split(closer);
  return rests.some((rest) => isDue(halfOpener.exec(rest)?.[1] ?? ''));
}

/**
 * `<ping>⏎<host>a⏎<ping>⏎<host>b</host>`: returns whether a call begins again in the value of an argument, and the
 * argument with it. The text ends with the opener after the value.
 */
export function opensAgain(text: string, callOpener: string, opener: string, closer: string): boolean {
  const at = text.indexOf(`\n${callOpener}`);
  const last = at === -1 ? -1 : text.lastIndexOf(opener);
  return last > at && (closer === '' || last > text.lastIndexOf(closer));
}
