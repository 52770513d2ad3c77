import { createHash } from 'node:crypto';
import { redactText } from '@haft/core';
import { cleanText } from '@haft/sandbox';
import { canonicalJson } from '../client/contract/tool-change.ts';
import { holdsReference } from './expand-references.ts';
import type { ServerEntry } from './server-entry.ts';

/** Asks for approval of a command that was never approved, or of a URL that gets values of the environment. */
export interface CommandApprovalRequest {
  /** Name of the connection. */
  readonly connection: string;
  /**
   * The whole command as one line, never cut. A possible secret is hidden only if it is one word without special
   * characters of a shell, so that no command is hidden as one. Hidden characters are shown as `\u{200b}`. For a server
   * at a URL, its URL.
   */
  readonly line: string;
  /** Working directory; undefined for this program's own. */
  readonly cwd: string | undefined;
  /**
   * Environment variables, as `NAME=${REFERENCE}` or `NAME=…`. Values that name files, options or addresses are shown,
   * and so are those of variables that make programs load code, such as `NODE_OPTIONS`. For a URL, its headers.
   */
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
  const { command, args = [], url = '', cwd } = entry;
  const values = (command === undefined ? entry.headers : entry.env) ?? {};
  const words = command === undefined ? [url] : [command, ...args];
  return {
    connection,
    line: words.map((word) => showWord(quote(word))).join(' '),
    cwd,
    env: Object.entries(values).map(([name, value]) => `${showHidden(name)}=${showValue(name, value)}`),
    // A relative path leads to another program in another directory.
    hash: hashOf(command === undefined ? entry : { ...entry, cwd: cwd ?? ownDirectory() }),
  };
}

/** Returns the directory of this program; empty if it was removed. */
function ownDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '';
  }
}

/** Masks a secret in a word, unless a command could be hidden in this way, and shows hidden characters. */
function showWord(word: string): string {
  const masked = redactText(word);
  return showHidden(masked !== word && isPlain(word, masked) ? masked : word);
}

/**
 * Whether the masked characters of a word are only those of plain secrets. After a blank, a shell would run a secret as
 * a command.
 */
function isPlain(word: string, masked: string): boolean {
  if (/\s\[redacted\]/.test(masked)) return false;
  const left = new Map<string, number>();
  const count = (text: string, by: number): void => {
    for (const character of text) left.set(character, (left.get(character) ?? 0) + by);
  };
  count(word, 1);
  count(masked.replaceAll('[redacted]', ''), -1);
  return [...left].every(([character, times]) => times === 0 || /^[\w.~+/=:@%-]$/.test(character));
}

/** Variables that make interpreters, loaders, package runners and Git run other code. */
const loadsCode =
  /^(?:PATH|PATHEXT|HOME|ENV|BASH_ENV|SHELLOPTS|PS4|IFS|CLASSPATH|_?JAVA_|JDK_|NODE_|LD_|DYLD_|PYTHON|PERL|RUBY|GEM_|LUA_|DOTNET_|GIT_|NPM_|PNPM_|YARN_|BUN_|DENO_|UV_|PIP_)/i;

/** Returns the value of a variable, hidden if it may be a secret and can't change which code runs. */
function showValue(name: string, value: string): string {
  if (holdsReference(value)) return showHidden(value);
  const isRandom = /^(?!\/)[\w+/-]{20,}={0,2}$/.test(value);
  const isShown = loadsCode.test(name) || (/^-|[\\/]/.test(value) && !isRandom);
  return isShown ? showWord(quote(value)) : '…';
}

function showHidden(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) =>
    cleanText(character) === character && character.trim() !== ''
      ? character
      : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** Returns the command or URL of a server on one line, without likely secrets. For lists, not for approvals. */
export function addressOf({ command, args = [], url }: ServerEntry): string {
  if (command === undefined && url === undefined) return 'a transport of the program';
  const commandLine = url ?? [command ?? '', ...args].map(quote).join(' ');
  return redactText(cleanText(commandLine).replace(/\s*\n\s*/g, ' ⏎ '));
}

function quote(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
