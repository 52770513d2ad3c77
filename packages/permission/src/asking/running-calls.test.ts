import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '@haft/core';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { type RuleEngine } from '../options/permission-options.ts';
import { editing, reading } from '../fixtures/create-request.ts';
import { at, no, once, root, said, session, useGround, withUser } from '../fixtures/permission-ground.ts';

useGround();

describe('files that a running call finds', () => {
  const { signal } = new AbortController();
  /** The requests of a search: first for the search itself, then for the files that it found, folder by folder. */
  const search = async (
    engine: RuleEngine,
    folders: readonly (readonly string[])[],
    overrides: Partial<PermissionRequest> = {},
  ): Promise<readonly string[]> => {
    const call = { tool: 'grep', callId: 'search', signal: new AbortController().signal, ...overrides };
    const received = [await said(engine.ask(reading(`${root}/`, { title: 'Search', ...call })))];
    for (const files of folders) {
      const footprint = { reads: files.map((file) => `file:${at(file)}`), writes: [] };
      received.push(await said(engine.ask(reading(root, { title: 'Found', ...call, footprint }))));
    }
    return received;
  };

  it('are covered by the permission of the call, with one decision in the log', async () => {
    for (const options of [{}, { rules: [{ action: 'allow', path: '.' }] }, { mode: 'allow' }] as const) {
      const received: string[] = [];
      const engine = createPermissionEngine({
        roots: [root],
        ...options,
        onDecision: ({ title, action, about, callId }) => received.push(`${callId} ${title} ${action} ${about}`),
      });
      expect(await search(engine, [['a.txt', '.env.example'], ['src/a.ts']])).toEqual(['allow', 'allow', 'allow']);
      expect(received).toEqual(['search Search allow call']);
    }
  });

  it('are withheld by protection and by rules that deny, each logged once', async () => {
    const received: string[] = [];
    const engine = createPermissionEngine({
      roots: [root],
      rules: [{ action: 'deny', path: 'src/**' }],
      onDecision: ({ action, by, about, ruleKey }) => received.push(`${about} ${action} ${by} ${ruleKey ?? ''}`),
    });
    expect(
      await search(engine, [['a.txt', '.env'], ['.env'], ['a.txt'], ['src/a.ts', 'src/b.ts'], ['src/a.ts']]),
    ).toEqual(['allow', 'deny: protected', 'deny: protected', 'allow', 'deny: rule', 'deny: rule']);
    expect(received).toEqual([
      'call allow default ',
      'found deny protected protected/**/.env',
      'found deny rule rules[0]',
    ]);
  });

  it('are asked about once per call when a rule asks, whatever the answer', async () => {
    const rules = [{ action: 'ask', path: '{src,lib}/**' }] as const;
    const folders = [['a.txt'], ['src/a.ts'], ['src/deep/b.ts'], ['a.txt', 'src/c.ts']];
    const yes = withUser([once], { rules });
    expect(await search(yes.engine, folders)).toEqual(['allow', 'allow', 'allow', 'allow', 'allow']);
    expect(yes.asked).toMatchObject([{ title: 'Found', reads: [`${root}/`, at('src/a.ts')] }]);
    expect(await search(yes.engine, folders)).toEqual(['allow', 'allow', 'allow', 'allow', 'allow']);
    expect(yes.asked).toHaveLength(2);
    const refusing = withUser([no, once], { rules });
    expect(await search(refusing.engine, folders)).toEqual([
      'allow',
      'allow',
      'deny: person',
      'deny: person',
      'deny: person',
    ]);
    expect(refusing.asked).toHaveLength(1);
    const remembering = withUser([session], { rules });
    for (let round = 0; round < 3; round += 1) await search(remembering.engine, folders);
    expect(remembering.asked).toHaveLength(1);
    const unattended = createPermissionEngine({ roots: [root], rules });
    expect((await search(unattended, folders))[2]).toBe('deny: no-approver');
  });

  it('are not asked about when the user allowed the call, now or earlier in the session', async () => {
    const { engine, asked } = withUser([session], { rules: [{ action: 'ask', tool: 'grep' }] });
    for (let round = 0; round < 2; round += 1)
      expect(await search(engine, [['a.txt'], ['src/a.ts']])).toEqual(['allow', 'allow', 'allow']);
    expect(asked).toHaveLength(1);
  });

  it('exclude written files and those of other calls, tools or folders', async () => {
    const { engine, asked } = withUser([no], {
      rules: [{ action: 'allow', path: '.' }],
      defaults: { readInside: 'ask' },
    });
    const call = { tool: 'grep', callId: 'one', signal };
    expect(await said(engine.ask(reading(`${root}/`, call)))).toBe('allow');
    expect(await said(engine.ask(reading(at('a.txt'), call)))).toBe('allow');
    for (const request of [
      reading(at('a.txt'), { ...call, callId: 'two' }),
      reading(at('a.txt'), { ...call, tool: 'read' }),
      reading(at('a.txt'), { ...call, signal: new AbortController().signal }),
      reading(at('out/s.txt'), call),
      editing(at('a.txt'), call),
    ])
      expect(await said(engine.ask(request))).toBe('deny: person');
    expect(asked).toHaveLength(5);
  });
});
