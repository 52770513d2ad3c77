import { encodeName } from '@haft/core/registry';

/**
 * The name under which a remote tool is registered: `connection_tool`, as `encodeName` writes it. Its beginning, up to the
 * first `_`, is always the connection's name.
 *
 * @param isTaken tells whether somebody else has a name already.
 */
export function encodeToolName(connection: string, remoteName: string, isTaken: (name: string) => boolean): string {
  return encodeName(`${connection}_${remoteName}`, isTaken);
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
