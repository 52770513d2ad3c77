import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Attack, AttackGround, AttackOutcome } from './attack.ts';
import { missingRequirement } from './missing-requirement.ts';

const defaultTimeoutMs = 30_000;

/** Runs one attack in a directory of its own, preceded by its control. Never rejects. */
export async function runAttack(attack: Attack): Promise<AttackOutcome> {
  for (const requirement of attack.needs ?? []) {
    const reason = missingRequirement(requirement);
    if (reason !== undefined) return { kind: 'skipped', reason };
  }
  const startedAt = performance.now();
  const timeoutMs = attack.timeoutMs ?? defaultTimeoutMs;
  const breach = (achieved: string): AttackOutcome => ({
    kind: 'breach',
    achieved,
    durationMs: performance.now() - startedAt,
  });
  try {
    if (attack.control !== undefined) {
      const works = await onNewGround((ground) => attack.control?.(ground) ?? Promise.resolve(true), timeoutMs);
      if (works === timedOut) return breach('the control did not end in time');
      if (!works) return breach('the control failed: the attack does not work without protection either');
    }
    const achieved = await onNewGround((ground) => attack.run(ground), timeoutMs);
    if (achieved === timedOut) return breach(`the attack did not end within ${timeoutMs} ms`);
    if (achieved !== undefined) return breach(achieved);
    return { kind: 'held', durationMs: performance.now() - startedAt };
  } catch (error) {
    return breach(`the attack threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

const timedOut = Symbol('timed out');

async function onNewGround<Result>(
  use: (ground: AttackGround) => Promise<Result>,
  timeoutMs: number,
): Promise<Result | typeof timedOut> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'haft-attack-')));
  const cleanUps: (() => void | Promise<void>)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), timeoutMs);
  });
  try {
    return await Promise.race([use({ directory, onEnd: (cleanUp) => cleanUps.push(cleanUp) }), timeout]);
  } finally {
    clearTimeout(timer);
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    rmSync(directory, { recursive: true, force: true });
  }
}
