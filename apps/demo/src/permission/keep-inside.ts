import type { PermissionDecision, PermissionEngine, PermissionRequest } from '@haft/core';
import { confine } from '@haft/sandbox';

/**
 * Refuses paths outside the folder before the user is asked: file tools would refuse them anyway. Other calls go to the
 * inner engine.
 */
export function keepInside(engine: PermissionEngine): PermissionEngine {
  return {
    async ask(request) {
      const outside = request.provider === 'builtin' && (await reachesOutside(request));
      return outside ? outsideTheFolder : engine.ask(request);
    },
  };
}

const filePrefix = 'file:';

async function reachesOutside({ footprint, cwd }: PermissionRequest): Promise<boolean> {
  for (const key of [...footprint.reads, ...footprint.writes]) {
    if (!key.startsWith(filePrefix)) continue;
    const place = await confine([cwd], key.slice(filePrefix.length));
    if (!place.ok && place.code === 'OUTSIDE_ROOTS') return true;
  }
  return false;
}

const outsideTheFolder: PermissionDecision = {
  action: 'deny',
  denial: {
    source: 'rule',
    ruleKey: 'outside the folder',
    reason: 'the path is outside the folder that tools may use',
    hint: 'Name a path inside the folder, relative to it.',
  },
};
