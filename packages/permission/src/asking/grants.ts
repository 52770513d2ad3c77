import type { Grant } from './grant.ts';
import type { PermissionRequest } from '@haft/core';
import { compileCommandPattern, type CommandPattern } from '../rules/command-pattern.ts';
import { commandOf } from '../rules/command-lines.ts';
import { readGrants, type GrantStore } from './grant-store.ts';
import { identifyPattern, type CallIdentity } from './identify-call.ts';
import type { PermissionAnswer } from './permission-question.ts';

/** A call that may be covered by what was allowed before. */
export interface AskedCall {
  readonly request: PermissionRequest;
  readonly identity: CallIdentity;
  /** It would come across secrets, which only a yes to exactly this call covers. */
  readonly isRisky: boolean;
}

/** What persons have allowed. Refusals are never remembered. */
export interface Grants {
  /** Resolves when what was kept before is known; rejects when it can't be. */
  ready(): Promise<void>;
  /** Whether a call may run because of an earlier answer. */
  covers(call: AskedCall): boolean;
  /** Remembers an answer for later calls; rejects when it can't be kept, and holds all the same. */
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

/** Makes a memory: empty, or with what a store kept. */
export function createGrants(store: GrantStore | undefined, now: () => number): Grants {
  const held = new Map<string, Held>();
  // Few, and each is compared with a command line.
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
    // One after the other, so that the last state is what stays.
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
        // The next question tries again.
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

/** Whether a grant for a pattern was given for such calls as this: the same tool of the same provider, in the same folder. */
function isFor(grant: Grant, request: PermissionRequest): boolean {
  return (
    grant.tool === request.tool &&
    grant.provider === request.provider &&
    grant.cwd === request.cwd &&
    (grant.scope === 'always' || grant.sessionId === request.sessionId)
  );
}
