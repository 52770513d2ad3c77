import { createLook } from './look-at-command.ts';
import type { ProtectedFinding, Protection } from './judge-protection.ts';
import { findDestructiveIn } from '../shell/dangers/destructive-commands.ts';
import { findUncertainties } from '../shell/uncertainty/find-uncertainties.ts';
import { findIrreversibleEffects } from '../shell/dangers/irreversible-effects.ts';
import { expandCommands } from '../shell/expand/expand-commands.ts';
import { suspectedCommands } from '../shell/dangers/unknown-programs.ts';

/** The facts about a command line before it runs. */
export interface CommandJudgement {
  /** Why the line must never run. Undefined if it may. */
  readonly finding?: ProtectedFinding;
  /** What the text does not reveal, in words for the user. */
  readonly uncertainties: readonly string[];
  /** What the line would destroy or stop permanently, in words for the user. */
  readonly irreversibleEffects: readonly string[];
  /** Ways in which the line could reach secrets that it does not name. */
  readonly risks: readonly string[];
}

/** Finds what a command line would run and touch. Looks up files on the disk, but runs nothing. */
async function judgeCommand(line: string, cwd: string, protection: Protection): Promise<CommandJudgement> {
  const expanded = expandCommands(line, { cwd, home: protection.home });
  const destructive = findDestructiveIn(expanded, line, protection.home);
  if (destructive) {
    const reason = `this command is never run: ${destructive.reason}`;
    const hint = 'Name exactly what to change, inside the working directory.';
    return {
      finding: { ruleKey: destructive.key, reason, hint },
      uncertainties: [],
      irreversibleEffects: [],
      risks: [],
    };
  }
  const uncertainties = new Set(findUncertainties(expanded));
  const risks = new Set<string>();
  const hidden = { ...expanded, commands: suspectedCommands(expanded), redirections: [] };
  const suspected = hidden.commands.length > 0 ? findDestructiveIn(hidden, '', protection.home) : undefined;
  if (suspected) uncertainties.add(`an unknown program may run something else: ${suspected.reason}`);
  const look = createLook(expanded, cwd, protection, uncertainties, risks);
  for (const { operator, target } of expanded.redirections) {
    // `2>&1` duplicates an open file; `>& x` writes to x.
    const isOpen = operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.text);
    if (isOpen || target.text === '/dev/null') continue;
    const finding = await look.at(target, operator.includes('>') ? 'writes' : 'reads');
    if (finding) return { finding, uncertainties: [], irreversibleEffects: [], risks: [] };
  }
  for (const run of expanded.commands) {
    const finding = await look.atWords(run);
    if (finding) return { finding, uncertainties: [], irreversibleEffects: [], risks: [] };
  }
  return {
    uncertainties: [...uncertainties],
    irreversibleEffects: findIrreversibleEffects(expanded),
    risks: [...risks],
  };
}

/** Judges all command lines that a call may run. The first reason to refuse comes first. */
export async function judgeCommands(
  lines: readonly string[],
  cwd: string,
  protection: Protection,
): Promise<CommandJudgement> {
  const uncertainties: string[] = [];
  const irreversibleEffects: string[] = [];
  const risks: string[] = [];
  for (const line of lines) {
    const judged = await judgeCommand(line, cwd, protection);
    if (judged.finding) return judged;
    uncertainties.push(...judged.uncertainties);
    irreversibleEffects.push(...judged.irreversibleEffects);
    risks.push(...judged.risks);
  }
  return { uncertainties, irreversibleEffects, risks };
}
