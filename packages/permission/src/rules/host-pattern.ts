import { compileTextMatcher, type Matcher } from '../paths/path-matchers.ts';
import { normalizeHost } from './normalize-host.ts';

/**
 * Compiles a host pattern: `api.example.org`, or `*.example.org` for all subdomains without the domain itself.
 *
 * @throws TypeError for a pattern that cannot match any host, such as one with a scheme, a port or a path.
 */
export function compileHostPattern(pattern: string): Matcher {
  const hasStar = /[*?]/.test(pattern);
  const rest = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  const isPlain = rest !== '' && !/[*?[\]{}]/.test(rest);
  const host = isPlain || !hasStar ? normalizeHost(rest) : undefined;
  if (host !== undefined && !/:\d+$/.test(rest)) {
    if (rest === pattern) return (text) => text === host;
    return (text) => text.endsWith(`.${host}`) && text.length > host.length + 1;
  }
  if (!hasStar || isPlain || !/^[a-z0-9*?-]+(?:\.[a-z0-9*?-]+)*$/i.test(pattern)) {
    throw new TypeError(
      `the host pattern ${JSON.stringify(pattern)} must be a host, such as "example.org" or "*.example.org", without a scheme, a port or a path`,
    );
  }
  return compileTextMatcher(pattern.toLowerCase());
}
