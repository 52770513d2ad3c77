import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../../engine/create-permission-engine.ts';
import { running } from '../../fixtures/create-request.ts';
import type { PermissionRule } from '../../rules/permission-rule.ts';
import { expandCommands } from '../expand/expand-commands.ts';
import { findIrreversibleEffects } from './irreversible-effects.ts';

const decide = async (rules: readonly PermissionRule[], command: string): Promise<string> => {
  const decision = await createPermissionEngine({ rules, mode: 'allow' }).ask(running(command));
  return decision.action === 'allow' ? 'allow' : `${decision.denial.source}: ${decision.denial.reason}`;
};

describe('commands that destroy work or stop the machine', () => {
  it('need the user or a rule that names them in the mode allow', async () => {
    for (const rules of [[], [{ action: 'allow' }], [{ action: 'allow', tool: 'bash' }]] as const) {
      expect(await decide(rules, 'git reset --hard')).toMatch(/^no-approver: .*git reset discards changes/);
    }
    expect(await decide([{ action: 'allow', command: 'git reset --hard' }], 'git reset --hard')).toBe('allow');
    expect(await decide([{ action: 'allow', command: 'git *' }], 'git clean -fdx')).toBe('allow');
    expect(await decide([], 'git reset --soft HEAD~1')).toBe('allow');
  });

  it('report the loss and do not ask for a clearer command', async () => {
    const engine = createPermissionEngine({ mode: 'allow' });
    const decision = await engine.ask(running('git clean -fdx && shutdown now'));
    const denial = decision.action === 'deny' ? decision.denial : undefined;
    expect(denial?.reason).toContain('git clean deletes files that exist nowhere else; it stops the machine');
    expect(denial?.hint).not.toContain('plainly');
  });

  it('are found with their options in any order and form', () => {
    const irreversibleEffects = (line: string): number => findIrreversibleEffects(expandCommands(line, {})).length;
    for (const line of [
      'git clean -d -f',
      'git clean --force',
      'git -C a clean -xfd',
      'GIT clean -f',
      'sudo -n git clean -f',
    ])
      expect(irreversibleEffects(line), line).toBe(1);
    for (const line of ['git clean -d', 'git clean -n', 'echo git clean -f', 'git log -f clean.txt'])
      expect(irreversibleEffects(line), line).toBe(0);
  });
});
