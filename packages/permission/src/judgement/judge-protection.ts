import { basename } from 'node:path';
import type { Targets } from '../paths/find-targets.ts';
import { findProtectedName } from '../paths/path-aliases.ts';
import type { ProtectedPaths } from '../paths/protected-paths.ts';

/** Paths to which access is refused regardless of rules, modes and users. */
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

/**
 * Returns why a call is refused if it touches a protected file by its name, its real path or a hard link. `suspect` is the
 * tool, if its arguments name the files but do not tell whether it changes them.
 */
export function findProtection(
  files: Targets['files'],
  protection: Protection,
  suspect?: string,
): ProtectedFinding | undefined {
  for (const { access, named, real, isTree } of files) {
    const other = real === undefined || isTree ? undefined : findProtectedName(real, protection.secrets);
    for (const path of new Set([named, real ?? named, other ?? named])) {
      const secret = protection.secrets(path);
      if (secret !== undefined) return secretFile(named, secret);
      const written = access === 'write' ? protection.writes(path) : undefined;
      if (written !== undefined)
        return suspect === undefined ? writtenFile(named, written) : openedFile(named, written, suspect);
    }
  }
  return undefined;
}

/** Creates the finding for a file that holds secrets. */
export function secretFile(path: string, glob: string): ProtectedFinding {
  if (glob.startsWith('/dev/')) {
    return {
      ruleKey: `protected/${glob}`,
      reason: `${basename(path)} is protected: it is a disk or the memory of this machine`,
      hint: "Don't try to reach it another way. Use files, or ask the user.",
    };
  }
  return {
    ruleKey: `protected/${glob}`,
    reason: `${basename(path)} is protected: files like ${glob} contain secrets`,
    hint: "Don't try to reach it another way. If you need a value from it, ask the user.",
  };
}

/** Creates the finding for a file that other programs run or trust. */
export function writtenFile(path: string, glob: string): ProtectedFinding {
  return {
    ruleKey: `write-protected/${glob}`,
    reason: `${basename(path)} must not be changed by tools: other programs run or trust files like ${glob}`,
    hint: 'Tell the user what you would change there.',
  };
}

function openedFile(path: string, glob: string, tool: string): ProtectedFinding {
  return {
    ruleKey: `write-protected/${glob}`,
    reason: `${tool} may read or change ${basename(path)}, and tools must not change files like ${glob}, which other programs run or trust`,
    hint: 'Read it with a tool that only reads, or tell the user what you would read or change there.',
  };
}
