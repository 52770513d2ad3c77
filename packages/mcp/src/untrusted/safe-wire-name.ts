import { encodeName } from '@haft/core/registry';

/**
 * Returns the name under which a remote tool is registered: `connection_tool`, encoded by `encodeName`. The part before
 * the first `_` is always the connection's name.
 *
 * @param isTaken returns whether another tool already has the name.
 */
export function encodeToolName(connection: string, remoteName: string, isTaken: (name: string) => boolean): string {
  return encodeName(`${connection}_${remoteName}`, isTaken);
}

/**
 * Converts text to a connection name: at most 24 lower-case letters, digits and `-`. It never contains `_`, so the
 * first `_` of a tool name ends the connection's name. Returns an empty string if no letter or digit is left.
 */
export function toConnectionName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '');
}
