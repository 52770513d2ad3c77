import { createHash } from 'node:crypto';

const maxLength = 64;

/**
 * The name under which a remote tool is registered: `connection_tool`, at most 64 letters, digits, `_` and `-`. A name that
 * had to be changed or cut, or that is taken, ends in a hash of the original instead, so that two names never become one.
 *
 * @param isTaken tells whether somebody else has a name already.
 */
export function encodeToolName(connection: string, remoteName: string, isTaken: (name: string) => boolean): string {
  const readable = `${connection}_${remoteName.replace(/[^A-Za-z0-9_-]/g, '_')}`;
  if (readable === `${connection}_${remoteName}` && readable.length <= maxLength && !isTaken(readable)) return readable;
  for (let attempt = 0; ; attempt += 1) {
    const hash = createHash('sha256').update(`${attempt}:${remoteName}`).digest('hex').slice(0, 8);
    const name = `${readable.slice(0, maxLength - 9)}_${hash}`;
    if (!isTaken(name)) return name;
  }
}

/**
 * The name of a connection: lower-case letters, digits and `-`, at most 24, of whatever the user or the server calls it.
 * It never holds `_`, so that the first `_` of a tool's name always ends the connection's. Empty when nothing is left.
 */
export function toConnectionName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '');
}
