import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../../engine/create-permission-engine.ts';
import { running } from '../../fixtures/create-request.ts';
import { hiddenEvaluations, judgedEvaluations, plainEvaluations } from '../../fixtures/evaluated-lines.ts';
import type { PermissionRule } from '../../rules/permission-rule.ts';
import { parseShell } from './parse-evaluated-shell.ts';

async function judge(command: string, rules: readonly PermissionRule[]): Promise<string> {
  const engine = createPermissionEngine({
    mode: 'allow',
    rules,
    ask: () => ({ action: 'deny', reason: 'asked' }),
  });
  const decision = await engine.ask(running(command, { cwd: '/' }));
  return decision.action === 'allow' ? 'allow' : decision.denial.source;
}

const allowing: readonly PermissionRule[] = [
  {
    action: 'allow',
    command: [
      'printf *',
      'test *',
      'let *',
      'declare *',
      'read *',
      'unset *',
      'export *',
      'echo *',
      'mapfile *',
      'compgen *',
      'wait *',
      'command *',
      'builtin *',
    ],
  },
];

describe('text that Bash evaluates again', () => {
  it.each(hiddenEvaluations)('asks the user in the mode allow about a hidden evaluation: %j', async (line) => {
    expect(await judge(line, [])).toBe('person');
  });

  it.each(hiddenEvaluations)('asks the user even if rules allow the program: %j', async (line) => {
    expect(await judge(line, allowing)).toBe('person');
  });

  it.each(judgedEvaluations)('has the commands in it judged: %j', async (line) => {
    expect(await judge(line, [{ action: 'deny', command: 'npm publish' }])).toBe('rule');
  });

  it.each(plainEvaluations)('does not ask the user if the evaluation is known: %j', async (line) => {
    expect(await judge(line, [])).toBe('allow');
  });

  it.each([
    "printf -v 'a[$(touch X)]' x",
    "test -v 'a[$(touch X)]'",
    "command test -v 'a[$(touch X)]'",
    "mapfile -C 'touch X' a",
    "compgen -C 'touch X'",
  ])('prevents a command from counting as simple: %j', (line) => {
    expect(parseShell(line).isSimple).toBe(false);
  });

  it.each(['printf -v x hi', 'test -v HOME', 'test -f a.txt', 'let i=1', 'export A=b', 'unset x'])(
    'leaves a command that only names variables simple: %j',
    (line) => {
      expect(parseShell(line).isSimple).toBe(true);
    },
  );
});
