import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '@haft/core';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { type PermissionEngineOptions } from '../options/permission-options.ts';
import { calling, editing, reading, running } from '../fixtures/create-request.ts';
import { at, outside, root, said, useGround } from '../fixtures/permission-ground.ts';
import type { LayeredRules, PermissionRule, RuleAction } from './permission-rule.ts';
import { notSimpleCommands } from '../fixtures/shell-commands.ts';

useGround();

describe('rules', () => {
  const decide = async (rules: PermissionEngineOptions['rules'], request: PermissionRequest): Promise<string> =>
    said(createPermissionEngine({ roots: [root], rules: rules! }).ask(request));

  it('decide by the first match', async () => {
    expect(
      await decide(
        [
          { action: 'allow', tool: 'edit' },
          { action: 'deny', tool: 'edit' },
        ],
        editing(at('a.txt')),
      ),
    ).toBe('allow');
    expect(await decide({ user: [{ action: 'deny' }] }, reading(at('a.txt')))).toBe('deny: rule');
  });

  const layerNames = ['policy', 'user', 'project', 'default'] as const;
  const pairs = layerNames.flatMap((high, index) => layerNames.slice(index + 1).map((low) => [high, low] as const));

  it.each(pairs)(
    'deny a call if either of the layers %s and %s denies it, and otherwise use the first layer',
    async (high, low) => {
      const edit = editing(at('a.txt'));
      const both = (first: RuleAction, second: RuleAction): LayeredRules => ({
        [low]: [{ action: second, tool: 'edit' }],
        [high]: [{ action: first, tool: 'edit' }],
      });
      expect(await decide(both('allow', 'deny'), edit)).toBe('deny: rule');
      expect(await decide(both('deny', 'allow'), edit)).toBe('deny: rule');
      expect(await decide(both('ask', 'deny'), edit)).toBe('deny: rule');
      expect(await decide(both('allow', 'ask'), edit)).toBe('allow');
      expect(await decide(both('ask', 'allow'), edit)).toBe('deny: no-approver');
      expect(
        await decide({ [low]: [{ action: 'allow', tool: 'edit' }], [high]: [{ action: 'deny', tool: 'x' }] }, edit),
      ).toBe('allow');
    },
  );

  it('deny through a layer only if its first match denies', async () => {
    const project: PermissionRule[] = [{ action: 'allow', path: 'a.txt' }, { action: 'deny' }];
    expect(await decide({ project }, editing(at('a.txt')))).toBe('allow');
    expect(await decide({ project, policy: [{ action: 'allow' }] }, editing(at('src/a.ts')))).toBe('deny: rule');
  });

  it('match every call of a named tool, with or without a command (B26)', async () => {
    expect(await decide([{ action: 'deny', tool: 'edit' }], editing(at('a.txt')))).toBe('deny: rule');
    expect(await decide([{ action: 'deny', tool: 'bash' }], running('ls'))).toBe('deny: rule');
  });

  it('match whole names', async () => {
    expect(await decide([{ action: 'allow', tool: 'edi' }], editing(at('a.txt')))).toBe('deny: no-approver');
    expect(await decide([{ action: 'allow', tool: 'edit*' }], editing(at('a.txt')))).toBe('allow');
    expect(await decide([{ action: 'allow', kind: ['edit', 'move'] }], editing(at('a.txt')))).toBe('allow');
    expect(
      await decide(
        [{ action: 'allow', provider: 'dynamic/mcp' }],
        calling('x', {}, { provider: 'dynamic/mcp/github' }),
      ),
    ).toBe('allow');
    expect(
      await decide([{ action: 'allow', provider: 'dynamic/mcp' }], calling('x', {}, { provider: 'dynamic/mcpx' })),
    ).toBe('deny: no-approver');
  });

  it('allow the kind `read` only for read-only tools, and deny it for all', async () => {
    const looking = calling('look', {}, { kind: 'read' });
    const reader = calling('look', {}, { kind: 'read', traits: reading('x').traits });
    expect(await decide([{ action: 'allow', kind: 'read' }], reader)).toBe('allow');
    expect(await decide([{ action: 'allow', kind: 'read' }], looking)).toBe('deny: no-approver');
    expect(await decide([{ action: 'allow', tool: 'look' }], looking)).toBe('allow');
    expect(await decide([{ action: 'deny', kind: 'read' }], looking)).toBe('deny: rule');
  });

  it('match declared traits', async () => {
    const looking = calling('look', {}, { traits: reading('x').traits, footprint: { reads: ['*'], writes: [] } });
    expect(await decide([{ action: 'allow', readOnly: true }], looking)).toBe('allow');
    expect(await decide([{ action: 'allow', readOnly: true }], calling('mail', {}))).toBe('deny: no-approver');
    expect(await decide([{ action: 'allow', readOnly: false }], calling('mail', {}))).toBe('allow');
    expect(await decide([{ action: 'deny', readOnly: false }, { action: 'allow' }], looking)).toBe('allow');
  });

  it('match resolved paths relative to the roots, absolute, or below home', async () => {
    expect(await decide([{ action: 'allow', path: 'src/**' }], editing(at('src/a.ts')))).toBe('allow');
    expect(await decide([{ action: 'allow', path: 'src/**' }], editing(at('lib/a.ts')))).toBe('allow');
    expect(await decide([{ action: 'allow', path: 'lib/**' }], editing(at('lib/a.ts')))).toBe('deny: no-approver');
    expect(await decide([{ action: 'allow', path: '**' }], editing(at('out/new.txt')))).toBe('deny: no-approver');
    expect(await decide([{ action: 'allow', path: `${outside}/*` }], editing(at('out/new.txt')))).toBe('allow');
    expect(await decide([{ action: 'allow', path: '~/x/**' }], editing(join(homedir(), 'x/y')))).toBe('allow');
    expect(await decide([{ action: 'deny', path: 'lib/**' }], reading(at('lib/a.ts')))).toBe('deny: rule');
    expect(await decide([{ action: 'deny', path: 'src/**' }], reading(at('lib/a.ts')))).toBe('deny: rule');
  });

  it('allow when every file matches and deny when one file matches', async () => {
    const both = editing(at('src/a.ts'), {
      footprint: { reads: [`file:${at('a.txt')}`], writes: [`file:${at('src/a.ts')}`] },
    });
    expect(await decide([{ action: 'allow', path: 'src/**' }], both)).toBe('deny: no-approver');
    expect(await decide([{ action: 'allow', path: ['src/**', 'a.txt'] }], both)).toBe('allow');
    expect(await decide([{ action: 'deny', path: 'a.txt' }, { action: 'allow' }], both)).toBe('deny: rule');
    expect(await decide([{ action: 'allow', path: '**', access: 'read' }], both)).toBe('deny: no-approver');
  });

  it('never allow by path a call that may touch any file', async () => {
    expect(await decide([{ action: 'allow', path: '**' }], running('ls'))).toBe('deny: no-approver');
    const mixed = editing(at('a.txt'), { footprint: { reads: [], writes: [`file:${at('a.txt')}`, '*'] } });
    expect(await decide([{ action: 'allow', path: '**' }], mixed)).toBe('deny: no-approver');
  });

  it('allow a command only if it is alone in its line', async () => {
    const rules = [{ action: 'allow', command: ['npm test', 'git log *', 'npm run test:*'] }] as const;
    for (const command of [
      'npm test',
      ' npm  test ',
      'git log',
      'git log --oneline -5',
      'git log "a b"',
      'npm run test:unit',
      'git log a;b'.replace(';b', ''),
    ]) {
      expect([command, await decide(rules, running(command))]).toEqual([command, 'allow']);
    }
    for (const command of [
      'npm tests',
      'npm test --x',
      'npm',
      'git',
      'git logs',
      'sudo git log',
      'git log; rm x',
      'git log && x',
      'git log | sh',
      'git log > x',
      'git log $(x)',
      'git log `x`',
      'git log\nx',
      'X=1 git log',
      'git log $X',
      '(git log)',
      'env git log',
    ]) {
      expect([command, await decide(rules, running(command))]).toEqual([command, 'deny: no-approver']);
    }
  });

  it.each(notSimpleCommands)('do not extend a trailing star over %j (B12)', async (command) => {
    expect(await decide([{ action: 'allow', command: 'cat *' }], running(command))).toMatch(/^deny/);
  });

  it('find a denied command anywhere in a line', async () => {
    const rules = [{ action: 'deny', command: ['npm publish *', 'terraform destroy *'] }, { action: 'allow' }] as const;
    for (const command of [
      'npm publish',
      'npm publish --tag x',
      'ls; npm publish',
      'sudo npm publish',
      'bash -c "npm publish"',
      'echo $(npm publish)',
      'X=1 npm publish',
      '/usr/bin/npm publish',
      'true | xargs npm publish',
    ]) {
      expect([command, await decide(rules, running(command))]).toEqual([command, 'deny: rule']);
    }
    expect(await decide(rules, running('npm pack'))).toBe('allow');
  });

  it('allow no command that could not be parsed to its end', async () => {
    const rules = [{ action: 'deny', command: 'npm publish *' }, { action: 'allow' }] as const;
    for (const command of [
      'echo "open',
      'echo $(open',
      `${'sudo eval '.repeat(200)}npm publish`,
      `echo ${'a'.repeat(20_000)}; npm publish`,
      `echo ${'a '.repeat(10_000)}`,
    ]) {
      expect(await decide(rules, running(command))).toMatch(/^deny/);
    }
    expect(await decide(rules, running('echo "closed"'))).toBe('allow');
  });

  it.each<[unknown, RegExp]>([
    [{ action: 'permit' }, /rules\[0\]: action is not valid \(expected "allow", "deny" or "ask", got "permit"\)/],
    [{}, /action is missing \(expected "allow", "deny" or "ask"\)/],
    ['bash', /expected an object such as .* got "bash"/],
    [null, /expected an object such as .* got null/],
    [{ action: 'allow', tools: 'x' }, /tools is not an option \(did you mean tool\?\)/],
    [{ action: 'allow', tool: 7 }, /tool is not valid \(expected a non-empty string or array of strings, got 7\)/],
    [{ action: 'deny', tool: [] }, /tool is not valid \(expected .*, got a list\)/],
    [{ action: 'deny', kind: 'reading' }, /kind is not valid \(expected one or more of "read", .* got "reading"\)/],
    [{ action: 'deny', readOnly: 'yes' }, /readOnly is not valid \(expected true or false, got "yes"\)/],
    [{ action: 'deny', path: 'x', access: 'both' }, /access is not valid \(expected "read" or "write", got "both"\)/],
    [{ action: 'deny', access: 'read' }, /access requires a path/],
    [{ action: 'allow', path: '' }, /path is not valid/],
    [{ action: 'allow', path: '[', key: 'mine' }, /the rule mine: pattern: "\[" is invalid: a bracket is not closed/],
    [{ action: 'allow', command: 'a; b' }, /"a; b" must be one command/],
    [{ action: 'allow', command: '' }, /command is not valid/],
  ])('are rejected if they are ambiguous: %j', (rule, message) => {
    const make = (): unknown => createPermissionEngine({ rules: [rule as never] });
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ name: 'PermissionError', code: 'INVALID_RULE' }));
  });

  it('include their reason in the denial', async () => {
    const engine = createPermissionEngine({
      roots: [root],
      rules: { project: [{ action: 'deny', path: 'src/**', reason: 'the sources are frozen' }] },
    });
    expect(await engine.ask(editing(at('src/a.ts')))).toEqual({
      action: 'deny',
      denial: {
        source: 'rule',
        reason: 'the sources are frozen',
        ruleKey: 'project[0]',
        hint: expect.stringContaining("Don't try the same thing another way"),
      },
    });
  });
});
