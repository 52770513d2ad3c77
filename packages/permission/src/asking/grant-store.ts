import { isRecord } from '@haft/core/options';
import type { Grant } from './grant.ts';
import { compileCommandPattern } from '../rules/command-pattern.ts';

/**
 * Stores the grants with the scope `always`. Anything that can write to the store can allow any call, so keep it where
 * no tool can write. If either method throws, the call that waits for it is denied with `PERMISSION_ENGINE_FAILED`.
 */
export interface GrantStore {
  /**
   * Returns the grants that were saved last, or undefined if nothing was saved. Called once, before the first question.
   */
  load(): readonly Grant[] | undefined | Promise<readonly Grant[] | undefined>;
  /** Replaces the stored grants with these. Calls never overlap. */
  save(grants: readonly Grant[]): void | Promise<void>;
}

/** Reads the grants from a value that a store returned. Invalid entries are skipped and allow nothing. */
export function readGrants(given: unknown): readonly Grant[] {
  return Array.isArray(given) ? given.flatMap(readGrant) : [];
}

function readGrant(given: unknown): readonly Grant[] {
  if (!isRecord(given)) return [];
  const { key, scope, sessionId, tool, provider, title, command, cwd, expiresAt } = given as Partial<
    Record<keyof Grant, unknown>
  >;
  if (scope !== 'always') return [];
  if (![key, sessionId, tool, provider, title].every((text) => typeof text === 'string')) return [];
  if (expiresAt !== undefined && !(typeof expiresAt === 'number' && Number.isFinite(expiresAt))) return [];
  if (command === undefined ? cwd !== undefined : typeof cwd !== 'string' || !isPattern(command)) return [];
  return [
    {
      key,
      scope,
      sessionId,
      tool,
      provider,
      title,
      ...(command === undefined ? {} : { command, cwd }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    } as Grant,
  ];
}

function isPattern(command: unknown): boolean {
  try {
    return typeof command === 'string' && compileCommandPattern(command) !== undefined;
  } catch {
    return false;
  }
}
