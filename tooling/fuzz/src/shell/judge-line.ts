import { createPermissionEngine } from '@haft/permission';
import type { PermissionRule } from '@haft/permission';

import { jailDirectory, type RanPrograms } from './run-in-bash.ts';

/** What the engine does with a line where everything is allowed. */
export type Verdict = 'asked' | 'refused' | 'allowed';

interface Judge {
  readonly engine: ReturnType<typeof createPermissionEngine>;
  /** A person was asked since this was last set to false. */
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
 * Judges a line as the argument of a shell tool, in the mode `allow`. With rules, only these and doubts are looked at: what
 * is protected costs more, and does not change from rule to rule.
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
 * Finds a program that Bash ran and that was not judged: the line is allowed, and a rule that denies exactly this program
 * with these words does not stop it.
 */
export async function findUnjudged(line: string, ran: RanPrograms): Promise<readonly string[] | undefined> {
  if (ran.length === 0 || (await judgeLine(line)) !== 'allowed') return undefined;
  for (const words of ran)
    if ((await judgeLine(line, [{ action: 'deny', command: patternOf(words) }])) === 'allowed') return words;
  return undefined;
}

/** A pattern for exactly these words. Numbers count as equal: which one comes out is not worked out. */
export function patternOf([program = '', ...words]: readonly string[]): string {
  const plain = (word: string): string => word.replaceAll(/[^A-Za-z_./=:,+@%-]+/g, '*') || '*';
  const name = /^[a-zA-Z]\w?$/.test(program) ? program : plain(program);
  return [name, ...words.map(plain)].join(' ');
}
