import type { ToolTraits } from '@haft/core';
import { describe, expect, it } from 'vitest';
import { calling, running } from '../fixtures/create-request.ts';
import { root, said, session, useGround, withUser } from '../fixtures/permission-ground.ts';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';

useGround();

const { traits } = running('ls');
const everything = { footprint: { reads: [], writes: ['*'] }, cwd: root };
const allowing = createPermissionEngine({ roots: [root], mode: 'allow', rules: [{ action: 'allow', command: 'ls' }] });

describe('a tool that runs something other than its `command`', () => {
  it.each<[string, string, unknown]>([
    ['run', 'script', { script: 'ls' }],
    ['run', 'cmd', { cmd: 'ls' }],
    ['run', 'a list', { command: ['ls'] }],
    ['run', 'both', { command: 'ls', script: 'ls' }],
    ['run', 'nothing', {}],
    ['bash', 'cmd', { cmd: 'ls' }],
  ])('asks the user about %s with %s in the mode allow', async (tool, _, args) => {
    expect(await said(allowing.ask(calling(tool, args, { traits, ...everything })))).toBe('deny: no-approver');
  });

  it('counts as a shell by its name alone', async () => {
    for (const tool of ['shell', 'run_shell', 'terminal', 'zsh', 'my-bash'])
      expect(await said(allowing.ask(calling(tool, { script: 'ls' }, everything)))).toBe('deny: no-approver');
    for (const tool of ['publish', 'shelly', 'dashboard'])
      expect(await said(allowing.ask(calling(tool, { script: 'ls' }, everything)))).toBe('allow');
  });

  it('is allowed only by a rule that names it', async () => {
    const call = calling('run', { script: 'ls' }, { traits, ...everything });
    const by = (tool?: string) =>
      said(createPermissionEngine({ rules: [{ action: 'allow', ...(tool ? { tool } : {}) }] }).ask(call));
    expect(await by('run')).toBe('allow');
    expect(await by('r*')).toBe('deny: no-approver');
    expect(await by()).toBe('deny: no-approver');
  });

  it('is refused destructive or denied commands in any argument', async () => {
    const engine = createPermissionEngine({
      mode: 'allow',
      rules: [
        { action: 'deny', command: 'npm publish *' },
        { action: 'allow', tool: 'run' },
      ],
    });
    for (const name of ['command', 'cmd', 'script']) {
      const ask = (line: string) => said(engine.ask(calling('run', { [name]: line }, { traits, ...everything })));
      expect(await ask('rm -rf ~')).toBe('deny: protected');
      expect(await ask('cd x && npm publish --dry')).toBe('deny: rule');
    }
  });

  it('is not uncertain if it has a footprint or is read-only', async () => {
    const footprint = { reads: [], writes: [`file:${root}/a.txt`] };
    expect(await said(allowing.ask(calling('format', { path: 'a.txt' }, { traits, footprint, cwd: root })))).toBe(
      'allow',
    );
    const reading = { ...traits, readOnly: true, destructive: false };
    expect(await said(allowing.ask(calling('status', {}, { ...everything, traits: reading })))).toBe('allow');
    expect(await said(allowing.ask(calling('run', { script: 'x' }, { traits, footprint })))).toBe('deny: no-approver');
  });

  it('is shown to the user, whose consent covers exactly that call', async () => {
    const { engine, asked } = withUser([session, { action: 'deny' }], { mode: 'allow' });
    const run = (script: string) =>
      said(engine.ask(calling('run', { command: 'ls', script }, { traits, ...everything })));
    expect([await run('ls'), await run('ls'), await run('ls -a')]).toEqual(['allow', 'allow', 'deny: person']);
    expect(asked[0]!.uncertainties).toEqual(["command rules can't check what run runs"]);
  });
});

describe('a tool that declares nothing', () => {
  it.each(['command', 'cmd'])('has its argument %s judged as a command line', async (name) => {
    const ask = (line: string) => said(allowing.ask(calling('exec', { [name]: line }, everything)));
    expect(await ask('rm -rf ~')).toBe('deny: protected');
    expect(await ask('cat .env')).toBe('deny: protected');
    expect(await ask('$X')).toBe('deny: no-approver');
    expect(await ask('ls')).toBe('allow');
  });

  it('is not allowed by a command rule, and a grant covers only the same arguments', async () => {
    const call = (path: string) => calling('editor', { command: 'create', path }, everything);
    const { engine } = withUser([session, { action: 'deny' }], { rules: [{ action: 'allow', command: 'create' }] });
    expect(await said(engine.ask(call('a')))).toBe('allow');
    expect(await said(engine.ask(call('b')))).toBe('deny: person');
  });

  it('may have an argument `command` if it is read-only', async () => {
    const explain = (declared: ToolTraits) =>
      said(
        allowing.ask(calling('explain', { command: 'rm -rf ~' }, { ...everything, kind: 'read', traits: declared })),
      );
    expect(await explain({ ...traits, requires: [], readOnly: true, destructive: false })).toBe('allow');
    expect(await explain({ ...traits, requires: [] })).toBe('deny: protected');
  });
});
