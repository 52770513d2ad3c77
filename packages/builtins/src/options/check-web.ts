import { checkNames, checkOption } from '../option-values.ts';
import type { WebAccess } from '../web/web-access.ts';
import type { SearchProvider } from '../web/providers/search-provider.ts';

const webNames = [
  'guard',
  'userAgent',
  'timeoutMs',
  'maxBytes',
  'cacheTtlMs',
  'dial',
  'ca',
] as const satisfies readonly (keyof WebAccess)[];

/**
 * Refuses a way to the web that can't be used.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkWeb(owner: string, web: WebAccess | undefined): void {
  if (web === undefined) return;
  const isObject = typeof web === 'object' && web !== null && !Array.isArray(web);
  checkOption(owner, 'web', isObject, 'an object such as { timeoutMs: 10_000 }', web);
  checkNames(`${owner}, web`, web, webNames);
  for (const name of ['timeoutMs', 'maxBytes', 'cacheTtlMs'] as const) {
    const limit = web[name];
    const isRight = limit === undefined || (typeof limit === 'number' && limit >= (name === 'cacheTtlMs' ? 0 : 1));
    checkOption(owner, `web.${name}`, isRight, name === 'cacheTtlMs' ? 'a number from 0' : 'a number from 1', limit);
  }
  const isGuard = web.guard === undefined || typeof web.guard?.check === 'function';
  checkOption(owner, 'web.guard', isGuard, 'one that createNetworkGuard() of @haft/sandbox made', web.guard);
  checkOption(owner, 'web.dial', web.dial === undefined || typeof web.dial === 'function', 'a function', web.dial);
  for (const name of ['userAgent', 'ca'] as const)
    checkOption(owner, `web.${name}`, web[name] === undefined || typeof web[name] === 'string', 'text', web[name]);
}

/**
 * Refuses what can't search.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export function checkSearch(owner: string, search: SearchProvider | undefined): void {
  const isRight = typeof search?.search === 'function' && typeof search.name === 'string';
  checkOption(owner, 'search', isRight, 'a provider such as createSearxngSearch({ url }) makes', search);
}
