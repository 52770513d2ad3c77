const key = 'haft-workbench-token';

/**
 * Takes the token out of the fragment of the URL, so that a copied URL never contains it. The tab keeps it until it is
 * closed.
 */
export function takeToken(): void {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  sessionStorage.setItem(key, given);
  history.replaceState(null, '', '#/tools');
}

/** Returns the token of this tab, or an empty string. */
export function readToken(): string {
  return sessionStorage.getItem(key) ?? '';
}

/** Keeps a token that the user typed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(key, token);
}
