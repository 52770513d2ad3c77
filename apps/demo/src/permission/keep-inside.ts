import type { PermissionDecision, PermissionEngine, PermissionRequest } from '@haft/core';
import { confine } from '@haft/sandbox';

/**
 * Refuses what a built-in file tool would refuse in any case, a path outside the folder, before anybody is asked about it:
 * a yes would be worth nothing. All else is for the engine inside.
 */
export function keepInside(engine: PermissionEngine): PermissionEngine {
  return {
    async ask(request) {
      const outside = request.provider === 'builtin' ? await findOutside(request) : undefined;
      return outside === undefined ? engine.ask(request) : refuse(outside);
    },
  };
}

const filePrefix = 'file:';

async function findOutside({ footprint, cwd }: PermissionRequest): Promise<string | undefined> {
  for (const key of [...footprint.reads, ...footprint.writes]) {
    if (!key.startsWith(filePrefix)) continue;
    const path = key.slice(filePrefix.length);
    const place = await confine([cwd], path);
    if (!place.ok && place.code === 'OUTSIDE_ROOTS') return path;
  }
  return undefined;
}

function refuse(path: string): PermissionDecision {
  return {
    action: 'deny',
    denial: {
      source: 'rule',
      ruleKey: 'outside the folder',
      reason: `${path} lies outside the folder, and files outside it are closed here`,
      hint: 'Name a path inside the folder, relative to it.',
    },
  };
}
