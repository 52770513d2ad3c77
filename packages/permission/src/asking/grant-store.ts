import { isRecord } from '@haft/core/options';
import type { Grant } from './grant.ts';
import { compileCommandPattern } from '../rules/command-pattern.ts';

/**
 * Keeps what persons allowed for always. Whatever can write to it can allow anything: keep it where no tool writes.
 * What either method throws refuses the call that waits for it, as `PERMISSION_ENGINE_FAILED`.
 */
export interface GrantStore {
  /** All that was saved last; nothing when nothing was. Called once, before the first question. */
  load(): readonly Grant[] | undefined | Promise<readonly Grant[] | undefined>;
  /** Keeps these grants, and only these. Calls follow each other. */
  save(grants: readonly Grant[]): void | Promise<void>;
}

/** Takes the grants out of what a store gave. What can't be read as one allows nothing. */
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
