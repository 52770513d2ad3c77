import { createHash } from 'node:crypto';
import { redactText } from '@haft/core';
import { cleanText } from '@haft/sandbox';
import { canonicalJson } from '../client/contract/tool-change.ts';
import { holdsReference } from './expand-references.ts';
import type { ServerEntry } from './server-entry.ts';

/** A command that nobody has approved yet, as it is put to a person. */
export interface CommandApprovalRequest {
  /** Name of the connection. */
  readonly connection: string;
  /** The whole command as one line, never cut; values that may be secret are shown as what they refer to, or not at all. */
  readonly line: string;
  /** Folder it is started in; this program's own when there is none. */
  readonly cwd: string | undefined;
  /** Variables it gets, as `NAME=${REFERENCE}` or `NAME=…`. */
  readonly env: readonly string[];
  /** The same for two commands that are the same in everything, variables included. */
  readonly hash: string;
}

/** What is approved of with a command: all that decides what is started. */
export function hashOf({ command, args, env, cwd, url, headers }: ServerEntry): string {
  return createHash('sha256').update(canonicalJson({ command, args, env, cwd, url, headers })).digest('hex');
}

/** What tells servers apart whose tools are trusted: an address, whoever asks there, or all of a command. */
export function identityOf({ url, ...entry }: ServerEntry): string {
  return url === undefined ? hashOf(entry) : hashOf({ url });
}

/** A command as a person should see it before it is started. */
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

/** The command or the URL of a server on one line, without what looks like a secret. */
export function addressOf({ command, args = [], url }: ServerEntry): string {
  if (command === undefined && url === undefined) return 'a transport of the program';
  const words = url ?? [command ?? '', ...args].map(quote).join(' ');
  return redactText(cleanText(words).replace(/\s*\n\s*/g, ' ⏎ '));
}

function quote(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
