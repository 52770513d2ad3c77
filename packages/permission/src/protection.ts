import { basename } from 'node:path';
import type { PermissionRequest } from '@haft/core';
import { resolvePath } from '@haft/sandbox';
import type { Targets } from './paths/find-targets.ts';
import type { ProtectedPaths } from './paths/protected-paths.ts';
import { commandOf } from './rules/permission-rule.ts';
import { findDestructive } from './shell/destructive-commands.ts';
import { expandCommands } from './shell/expand-commands.ts';
import type { ShellWord } from './shell/parse-shell.ts';

/** What is refused whatever rules, modes and persons say. */
export interface Protection {
  readonly secrets: ProtectedPaths;
  readonly writes: ProtectedPaths;
  readonly home: string;
}

/** Why a call is refused. */
export interface ProtectedFinding {
  readonly reason: string;
  readonly ruleKey: string;
  readonly hint: string;
}

/** Finds out whether a call touches a protected file, by its name or by where it really lies, or runs a destructive command. */
export function findProtection(
  request: PermissionRequest,
  targets: Targets,
  protection: Protection,
): ProtectedFinding | undefined {
  for (const { access, named, real } of targets.files) {
    for (const path of real === undefined || real === named ? [named] : [named, real]) {
      const secret = protection.secrets(path);
      if (secret !== undefined) return secretFile(named, secret);
      const written = access === 'write' ? protection.writes(path) : undefined;
      if (written !== undefined) return writtenFile(named, written);
    }
  }
  const command = commandOf(request);
  return command === undefined ? undefined : findInCommand(command, request.cwd, protection);
}

function findInCommand(command: string, cwd: string, protection: Protection): ProtectedFinding | undefined {
  const destructive = findDestructive(command, protection.home);
  if (destructive) {
    return {
      ruleKey: destructive.key,
      reason: `this command is never run: ${destructive.reason}`,
      hint: 'Name exactly what to change, inside the working directory.',
    };
  }
  const { commands, redirections } = expandCommands(command);
  const isNewTarget = createNovelty();
  const isNewWritten = createNovelty();
  const isNewWord = createNovelty();
  for (const { operator, target } of redirections) {
    const writes = operator.includes('>') && !operator.endsWith('&');
    if (!(writes ? isNewWritten : isNewTarget)(target)) continue;
    const secret = findInWord(target, cwd, protection.secrets);
    if (secret !== undefined) return secretFile(target.text, secret);
    const written = writes ? findInWord(target, cwd, protection.writes) : undefined;
    // Writing to /dev/null is no writing.
    if (written !== undefined && !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target.text))
      return writtenFile(target.text, written);
  }
  for (const { program, args } of commands) {
    if (namesOnly.has(program)) continue;
    for (const word of args) {
      if (queries.has(program) && word.text.startsWith('.')) continue;
      if (!isNewWord(word)) continue;
      const secret = findInWord(word, cwd, protection.secrets);
      if (secret !== undefined) return secretFile(word.text, secret);
    }
  }
  return undefined;
}

/** The same word stands in every rest of a wrapper's words, and the same text in many words; judging one is costly. */
function createNovelty(): (word: ShellWord) => boolean {
  const words = new Set<ShellWord>();
  const texts = new Set<string>();
  return (word) => {
    if (words.has(word)) return false;
    words.add(word);
    // In quotes it may mean something else.
    if (word.hasQuotedPattern) return true;
    if (texts.has(word.text)) return false;
    texts.add(word.text);
    return true;
  };
}

/** Programs that show or test names, never what files hold. */
const namesOnly: ReadonlySet<string> = new Set([
  'echo',
  'printf',
  'ls',
  'test',
  '[',
  'stat',
  'basename',
  'dirname',
  'realpath',
]);

/** Programs whose `.key` is a question to a document. */
const queries: ReadonlySet<string> = new Set(['jq', 'yq', 'gojq', 'jaq']);

const mostParts = 100;

/** The word itself, and what follows the `=` of an option, the `@` of an upload or the `:` of a copy. */
function findInWord(word: ShellWord, cwd: string, isProtected: ProtectedPaths): string | undefined {
  // A pattern in quotes is looked for, not opened.
  if (word.hasQuotedPattern) return undefined;
  const parts = [word.text, ...word.text.split(/[=@:,]/, mostParts).slice(1)].filter(
    (part) => part !== '' && part.length < 4_096 && !/[|(){}<>;"'\n]/.test(part),
  );
  for (const part of parts) {
    const found =
      isProtected(resolvePath(cwd, part)) ??
      (part.endsWith('*') ? isProtected(resolvePath(cwd, part.replace(/\*+$/, ''))) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function secretFile(path: string, glob: string): ProtectedFinding {
  return {
    ruleKey: `protected/${glob}`,
    reason: `${basename(path)} is closed to tools: files like ${glob} hold secrets`,
    hint: "Don't try to get at it another way. If you need a value from it, ask the person.",
  };
}

function writtenFile(path: string, glob: string): ProtectedFinding {
  return {
    ruleKey: `write-protected/${glob}`,
    reason: `${basename(path)} is not written by tools: files like ${glob} are run or trusted by other programs`,
    hint: 'Tell the person what you would change there.',
  };
}
