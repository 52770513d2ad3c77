const key = 'haft-workbench-token';

/**
 * Moves the token from the fragment of the URL to the storage of the tab, so that a copied URL never contains it.
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
