import type { ReadSource } from '../files/plugin-own-files.ts';

/** Maximum number of files that are searched for a variable. */
const maxFiles = 20;

/**
 * Adds the remedy to the message of a failed load if the message names an environment variable that the plugin reads but
 * was not granted.
 *
 * @param files the plugin's imported files.
 */
export async function explainMissingVariable(
  message: string,
  { id, granted }: { readonly id: string; readonly granted: readonly string[] },
  files: ReadonlySet<string>,
  readSource: ReadSource,
): Promise<string> {
  const names = new Set(message.slice(0, 1_000).match(/\b[A-Z][A-Z0-9_]{2,}\b/g));
  for (const name of granted) names.delete(name);
  if (names.size === 0) return message;
  const read = new RegExp(String.raw`\benv(?:\.|\[['"])(${[...names].join('|')})\b`);
  for (const file of [...files].slice(0, maxFiles)) {
    const [, name] = read.exec((await readSource(file)) ?? '') ?? [];
    if (name !== undefined)
      return `${message} (an isolated plugin has only the granted environment variables, as in grants: { ${JSON.stringify(id)}: { env: [${JSON.stringify(name)}] } })`;
  }
  return message;
}
