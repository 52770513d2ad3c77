import { redactText } from '@haft/core';
import { holdsReference } from './expand-references.ts';
import type { ServerEntry } from './server-entry.ts';

/**
 * Says why an entry may not be kept: it can't be used, or holds what may be a secret. Values of variables and headers have to
 * refer to the environment; nobody can tell a secret from its looks.
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
        return `${where}.${name} is kept for the next start, so its value must refer to a variable of the environment: {"${name}": "\${${name.toUpperCase().replace(/\W/g, '_')}}"}`;
  const shown = [command ?? '', ...args, url ?? ''].join(' ');
  if (redactText(shown) !== shown)
    return 'the command or url seems to hold a secret; refer to a variable of the environment instead, such as ${API_TOKEN}';
  return undefined;
}
