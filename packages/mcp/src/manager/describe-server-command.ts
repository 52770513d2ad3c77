import { createHash } from 'node:crypto';
import { redactText } from '@haft/core';
import { cleanText } from '@haft/sandbox';
import { canonicalJson } from '../client/contract/tool-change.ts';
import { holdsReference } from './expand-references.ts';
import type { ServerEntry } from './server-entry.ts';

/** Asks for approval of a command that was never approved. */
export interface CommandApprovalRequest {
  /** Name of the connection. */
  readonly connection: string;
  /** The whole command as one line, never cut. Possible secrets are shown as references or hidden. */
  readonly line: string;
  /** Working directory; undefined for this program's own. */
  readonly cwd: string | undefined;
  /** Environment variables, as `NAME=${REFERENCE}` or `NAME=…`. */
  readonly env: readonly string[];
  /** Identifies the command with its variables. Equal for equal commands only. */
  readonly hash: string;
}

/** Hashes everything that determines what is started. Approvals are stored by this hash. */
export function hashOf({ command, args, env, cwd, url, headers }: ServerEntry): string {
  return createHash('sha256').update(canonicalJson({ command, args, env, cwd, url, headers })).digest('hex');
}

/** Identifies a server for stored trust: by its URL, or by its whole command. */
export function identityOf({ url, ...entry }: ServerEntry): string {
  return url === undefined ? hashOf(entry) : hashOf({ url });
}

/** Describes a command for the user's approval. */
export function describeCommand(connection: string, entry: ServerEntry): CommandApprovalRequest {
  const { env = {}, cwd } = entry;
  return {
    connection,
    line: addressOf(entry),
    cwd,
    env: Object.entries(env).map(([name, value]) => cleanText(`${name}=${holdsReference(value) ? value : '…'}`)),
    hash: hashOf(entry),
  };
}

/** Returns the command or URL of a server on one line, without likely secrets. */
export function addressOf({ command, args = [], url }: ServerEntry): string {
  if (command === undefined && url === undefined) return 'a transport of the program';
  const commandLine = url ?? [command ?? '', ...args].map(quote).join(' ');
  return redactText(cleanText(commandLine).replace(/\s*\n\s*/g, ' ⏎ '));
}

function quote(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
