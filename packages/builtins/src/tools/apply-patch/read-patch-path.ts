const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/**
 * Returns the path of a `---` or `+++` line, without its timestamp and, for git, without `a/` or `b/`. Returns null for
 * `/dev/null`.
 */
export function readGitPath(written: string, isGit: boolean): string | null {
  const quoted = /^"((?:[^"\\]|\\[^])*)"/.exec(written)?.[1];
  const path = quoted === undefined ? written.split('\t')[0]!.trimEnd() : unescape(quoted);
  if (path === '/dev/null') return null;
  return isGit ? path.replace(/^[ab]\//, '') : path;
}

/** Decodes C escapes in a name. Octal escapes such as `\303\244` are UTF-8 bytes. */
function unescape(text: string): string {
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of text.matchAll(/\\([0-7]{3})|\\([^])|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(plain ?? ''));
  }
  return Buffer.from(bytes).toString('utf8');
}
