import { redactText } from '@haft/core';
import { holdsReference } from './expand-references.ts';
import type { ServerEntry } from './server-entry.ts';

/**
 * Returns why an entry can't be saved: it is invalid, or may hold a secret. Values of variables and headers have to be
 * references, because a secret can't be recognized by its form.
 */
export function findStorageProblem({
  command,
  args = [],
  url,
  env = {},
  headers = {},
}: ServerEntry): string | undefined {
  if ((command === undefined) === (url === undefined))
    return 'a server needs either a command, such as "npx", or a url, such as "https://example.com/mcp"';
  for (const [where, given] of [
    ['env', env],
    ['headers', headers],
  ] as const)
    for (const [name, value] of Object.entries(given))
      if (!holdsReference(value))
        return `${where}.${name} is saved for the next start, so its value must be a reference to an environment variable: {"${name}": "\${${name.toUpperCase().replace(/\W/g, '_')}}"}`;
  const shown = [command ?? '', ...args, url ?? ''].join(' ');
  if (redactText(shown) !== shown)
    return 'the command or url seems to hold a secret; use a reference to an environment variable instead, such as ${API_TOKEN}';
  return undefined;
}
