import { createPermissionEngine } from '@haft/permission';
import type { PermissionRule } from '@haft/permission';

import { jailDirectory, type RanPrograms } from './run-in-bash.ts';

/** The decision of the engine for a line when everything is allowed. */
export type Verdict = 'asked' | 'refused' | 'allowed';

interface Judge {
  readonly engine: ReturnType<typeof createPermissionEngine>;
  /** Whether the user was asked since the last reset to false. */
  isAsked: boolean;
}

function createJudge(options: Parameters<typeof createPermissionEngine>[0]): Judge {
  const judge: Judge = {
    isAsked: false,
    engine: createPermissionEngine({
      ...options,
      mode: 'allow',
      ask: () => {
        judge.isAsked = true;
        return { action: 'deny' };
      },
    }),
  };
  return judge;
}

const plainJudge = createJudge({});

/**
 * Judges a line as the argument of a shell tool in the mode `allow`. With rules, only these and uncertainties are
 * checked: protection costs more, and does not depend on rules.
 */
export async function judgeLine(line: string, rules?: readonly PermissionRule[]): Promise<Verdict> {
  const judge = rules ? createJudge({ rules, protectedGlobs: [], writeProtectedGlobs: [] }) : plainJudge;
  judge.isAsked = false;
  const decision = await judge.engine.ask({
    callId: '1',
    tool: 'bash',
    provider: 'fuzz',
    kind: 'other',
    traits: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: false,
      pure: false,
      sideEffects: 'external',
      requires: ['process'],
    },
    arguments: { command: line },
    argumentNames: ['command'],
    footprint: { reads: [], writes: ['*'] },
    title: 'a line',
    cwd: jailDirectory,
    sessionId: 'fuzz',
    signal: new AbortController().signal,
  });
  if (judge.isAsked) return 'asked';
  return decision.action === 'allow' ? 'allowed' : 'refused';
}

/**
 * Finds a program that Bash ran but the engine did not judge: the line is allowed, and a rule that denies exactly this
 * program and its words does not stop it.
 */
export async function findUnjudged(line: string, ran: RanPrograms): Promise<readonly string[] | undefined> {
  if (ran.length === 0 || (await judgeLine(line)) !== 'allowed') return undefined;
  for (const words of ran)
    if ((await judgeLine(line, [{ action: 'deny', command: patternOf(words) }])) === 'allowed') return words;
  return undefined;
}

/** A pattern for exactly these words. All numbers count as equal, because their value is not computed. */
export function patternOf([program = '', ...words]: readonly string[]): string {
  const plain = (word: string): string => word.replaceAll(/[^A-Za-z_./=:,+@%-]+/g, '*') || '*';
  const name = /^[a-zA-Z]\w?$/.test(program) ? program : plain(program);
  return [name, ...words.map(plain)].join(' ');
}
