import type { Grant } from './grant.ts';
import type { PermissionRequest } from '@haft/core';
import { compileCommandPattern, type CommandPattern } from '../rules/command-pattern.ts';
import { commandOf } from '../rules/command-lines-of-call.ts';
import { readGrants, type GrantStore } from './grant-store.ts';
import { identifyPattern, type CallIdentity } from './identify-call.ts';
import type { PermissionAnswer } from './permission-question.ts';

/** A call that an earlier grant may cover. */
export interface AskedCall {
  readonly request: PermissionRequest;
  readonly identity: CallIdentity;
  /** The call could reach secrets. Only a grant for exactly this call covers it. */
  readonly isRisky: boolean;
}

/** The grants of the user. Refusals are never remembered. */
export interface Grants {
  /** Resolves when the stored grants are loaded. Rejects if they cannot be loaded. */
  ready(): Promise<void>;
  /** Returns whether an earlier grant covers a call. */
  covers(call: AskedCall): boolean;
  /** Remembers an answer for later calls. Rejects if the answer cannot be stored, but the grant still applies. */
  remember(call: AskedCall, answer: PermissionAnswer): Promise<void>;
  list(): readonly Grant[];
  revoke(key: string): boolean;
  forgetSession(sessionId: string): void;
}

interface Held {
  readonly grant: Grant;
  readonly pattern: CommandPattern | undefined;
}

const maxGrants = 10_000;

/** Creates a set of grants: empty, or loaded from a store. */
export function createGrants(store: GrantStore | undefined, now: () => number): Grants {
  const held = new Map<string, Held>();
  // There are only a few patterns, and each is compared with the command line.
  const patterns = new Map<string, Held>();
  let loading: Promise<void> | undefined;
  let saving: Promise<void> = Promise.resolve();

  const put = (grant: Grant): void => {
    const pattern = grant.command === undefined ? undefined : compileCommandPattern(grant.command);
    drop(grant.key);
    held.set(grant.key, { grant, pattern });
    if (pattern) patterns.set(grant.key, { grant, pattern });
    for (const oldest of held.keys()) {
      if (held.size <= maxGrants) break;
      drop(oldest);
    }
  };
  const drop = (key: string): boolean => {
    patterns.delete(key);
    return held.delete(key);
  };
  const isOver = ({ expiresAt }: Grant): boolean => expiresAt !== undefined && !(now() < expiresAt);
  const valid = (one: Held | undefined): one is Held => {
    if (one === undefined) return false;
    if (!isOver(one.grant)) return true;
    drop(one.grant.key);
    return false;
  };
  const save = (): Promise<void> => {
    if (!store) return saving;
    const kept = [...held.values()]
      .map(({ grant }) => grant)
      .filter((grant) => grant.scope === 'always' && !isOver(grant));
    // Saves run one after the other, so that the last state wins.
    const saved = saving.then(
      () => store.save(kept),
      () => store.save(kept),
    );
    saving = saved;
    saved.catch(() => undefined);
    return saved;
  };
  const load = async (from: GrantStore): Promise<void> => {
    for (const grant of readGrants(await from.load())) put(grant);
  };

  return {
    async ready() {
      if (!store) return;
      const current = (loading ??= load(store));
      try {
        await current;
      } catch (cause) {
        // The next question retries.
        if (loading === current) loading = undefined;
        throw cause;
      }
    },
    covers({ request, identity, isRisky }) {
      if (held.size === 0) return false;
      if (valid(held.get(identity.inSession())) || valid(held.get(identity.anywhere()))) return true;
      const command = isRisky || patterns.size === 0 ? undefined : commandOf(request);
      if (command === undefined) return false;
      return [...patterns.values()].some(
        (one) => isFor(one.grant, request) && valid(one) && one.pattern?.fitsAlone(command) === true,
      );
    },
    async remember({ request, identity }, answer) {
      if (answer.action === 'deny') return;
      const { scope, forMs, command } = answer;
      if (scope === undefined || scope === 'once') return;
      const { sessionId, tool, provider, title, cwd } = request;
      // All users of a program may share the empty session.
      if (scope === 'session' && sessionId === '') return;
      const key =
        command === undefined
          ? scope === 'always'
            ? identity.anywhere()
            : identity.inSession()
          : identifyPattern(request, scope === 'always' ? '' : `session ${sessionId}`, command);
      put({
        key,
        scope,
        sessionId,
        tool,
        provider,
        title,
        ...(command === undefined ? {} : { command, cwd }),
        ...(forMs === undefined ? {} : { expiresAt: now() + forMs }),
      });
      if (scope === 'always') await save();
    },
    list: () => [...held.values()].filter(valid).map(({ grant }) => grant),
    revoke(key) {
      const grant = held.get(key)?.grant;
      const isGone = drop(key);
      if (grant?.scope === 'always') void save();
      return isGone;
    },
    forgetSession(sessionId) {
      for (const { grant } of held.values())
        if (grant.scope === 'session' && grant.sessionId === sessionId) drop(grant.key);
    },
  };
}

/**
 * Returns whether a pattern grant applies to this kind of call: the same tool of the same provider, in the same folder.
 */
function isFor(grant: Grant, request: PermissionRequest): boolean {
  return (
    grant.tool === request.tool &&
    grant.provider === request.provider &&
    grant.cwd === request.cwd &&
    (grant.scope === 'always' || grant.sessionId === request.sessionId)
  );
}
