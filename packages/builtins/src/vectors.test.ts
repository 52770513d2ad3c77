import { appendFileSync, linkSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground, type GroundOptions } from './fixtures/create-ground.ts';

const secret = 'c3cret-of-the-outside';

let ground: Ground;
/** A root, and beside it what must be neither told nor changed. */
const start = (options: GroundOptions = {}): Ground => {
  ground = createGround({ files: { 'ok.txt': 'fine\n' }, ...options });
  writeFileSync(join(ground.outside, 'secret.txt'), secret);
  return ground;
};
afterEach(() => ground.remove());

/** Nothing outside was changed, and nothing of it told. */
const expectUntouched = (...said: readonly unknown[]): void => {
  expect(readdirSync(ground.outside)).toEqual(['secret.txt']);
  expect(JSON.stringify(said)).not.toContain(secret);
};

/** The numbers of the threats that `sandbox/src/vectors` tries one layer below: here they are tried by the tools themselves. */
describe('threats, by the tools', () => {
  it('vectors 1 to 11: no tool reads, lists, searches, writes, edits, patches or runs by a way that leads outside', async () => {
    start({
      links: { link: '../outside/secret.txt', dir: '../outside', dangling: '../outside/new.txt', loop: 'loop' },
    });
    const ways = [
      '../outside/secret.txt',
      join(ground.outside, 'secret.txt'),
      'link',
      'dir/secret.txt',
      'dangling',
      'loop',
      'dir/new/deep.txt',
    ];
    for (const path of ways) {
      const said = [
        await ground.call('read', { path }),
        await ground.call('ls', { path }),
        await ground.call('grep', { pattern: 'c3cret', path }),
        await ground.call('write', { path, content: 'written' }),
        await ground.call('append', { path, content: 'written' }),
        await ground.call('edit', { path, old_text: secret, new_text: 'written' }),
        await ground.call('apply_patch', { patch: `*** Begin Patch\n*** Add File: ${path}\n+written\n*** End Patch` }),
      ];
      expect([path, said.map(codeOf).filter((code) => code === 'ok')]).toEqual([path, []]);
      expectUntouched(said);
    }
  });

  it('vector 13: a file that another changes between reading and editing', async () => {
    start();
    await ground.call('read', { path: 'ok.txt' });
    ground.put('ok.txt', 'changed meanwhile\n');
    for (const [name, args] of [
      ['edit', { old_text: 'changed', new_text: 'mine' }],
      ['write', { content: 'mine' }],
    ] as const)
      expect(codeOf(await ground.call(name, { path: 'ok.txt', ...args }))).toBe('CHANGED_ON_DISK');
    expect(ground.text('ok.txt')).toBe('changed meanwhile\n');
  });

  it.skipIf(process.platform !== 'linux')(
    'vector 14: a file outside that has a second name inside is not written',
    async () => {
      start();
      linkSync(join(ground.outside, 'secret.txt'), join(ground.folder, 'hard'));
      expect(codeOf(await ground.call('write', { path: 'hard', content: 'x' }))).not.toBe('ok');
      expect(codeOf(await ground.call('edit', { path: 'hard', old_text: secret, new_text: 'x' }))).not.toBe('ok');
      expectUntouched();
    },
  );

  it('vectors 20, 21 and 35: what other programs run or trust is not made, in no spelling', async () => {
    start();
    const names = [
      '.git/hooks/pre-commit',
      '.GIT/Hooks/pre-commit',
      '.git\u200d/config',
      '.vscode/tasks.json',
      '.MCP.json',
      '.envrc',
      '.claude/settings.json',
    ];
    for (const path of names) {
      const said = [
        await ground.call('write', { path, content: 'evil' }),
        await ground.call('apply_patch', { patch: `*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch` }),
        await ground.call('apply_patch', {
          patch: `*** Begin Patch\n*** Update File: ok.txt\n*** Move to: ${path}\n@@\n-fine\n+evil\n*** End Patch`,
        }),
      ];
      expect([path, ...said.map(codeOf)]).toEqual([
        path,
        'PERMISSION_DENIED',
        'PERMISSION_DENIED',
        'PERMISSION_DENIED',
      ]);
    }
    expect(readdirSync(ground.folder)).toEqual(['ok.txt']);
    expect(ground.text('ok.txt')).toBe('fine\n');
  });

  it.skipIf(process.platform === 'win32')(
    'vectors 23, 29 and 30: names of Windows, and mentions, are names',
    async () => {
      start();
      for (const path of ['NUL', 'a::$DATA', 'trailing.', String.raw`C:\x`, String.raw`\\server\share`]) {
        expect([path, codeOf(await ground.call('write', { path, content: path }))]).toEqual([path, 'ok']);
        expect(ground.text(path)).toBe(path);
      }
      expect(await ground.say('read', { path: '@ok.txt' })).toContain('fine');
      expect(codeOf(await ground.call('read', { path: '@../outside/secret.txt' }))).not.toBe('ok');
    },
  );

  it('vector 33: neither glob nor grep follows a folder that is a link', async () => {
    start({ links: { dir: '../outside' } });
    const said = [
      await ground.call('glob', { pattern: '**/*.txt' }),
      await ground.call('glob', { pattern: '**/secret*', no_ignore: true }),
      await ground.call('grep', { pattern: 'c3cret', no_ignore: true }),
    ];
    expect(said[0]).toMatchObject({ structured: [expect.anything()], metadata: { total: 1 } });
    expectUntouched(said);
    expect(JSON.stringify(said)).not.toContain('dir/');
  });

  it('vector 34: a patch with a file that leads outside writes none of its files', async () => {
    start({ links: { dir: '../outside' } });
    for (const path of [
      '../outside/new.txt',
      join(ground.outside, 'new.txt'),
      'a/../../outside/new.txt',
      'dir/new.txt',
    ]) {
      const envelope = [
        '*** Begin Patch',
        '*** Update File: ok.txt',
        '@@',
        '-fine',
        '+evil',
        '*** Add File: good.txt',
        '+good',
        `*** Add File: ${path}`,
        '+evil',
        '*** End Patch',
      ];
      const unified = [
        '--- /dev/null',
        '+++ b/good.txt',
        '@@ -0,0 +1 @@',
        '+good',
        '--- /dev/null',
        `+++ ${path}`,
        '@@ -0,0 +1 @@',
        '+evil',
        '',
      ];
      for (const lines of [envelope, unified])
        expect([path, codeOf(await ground.call('apply_patch', { patch: lines.join('\n') }))]).not.toEqual([path, 'ok']);
      expect(readdirSync(ground.folder).toSorted()).toEqual(['dir', 'ok.txt']);
      expect(ground.text('ok.txt')).toBe('fine\n');
      expectUntouched();
    }
  });

  it('vector 43: a line without end is shown in part', async () => {
    start({ files: { 'ok.txt': 'fine\n', 'line.txt': 'x'.repeat(3_000_000) } });
    const said = await ground.say('read', { path: 'line.txt' });
    expect(said.length).toBeLessThan(120_000);
    expect(said).toContain('line cut');
  });

  it('vectors 39 and 40: a file that grows and shrinks between two windows', async () => {
    start();
    expect(await ground.say('read', { path: 'ok.txt' })).toContain('fine');
    appendFileSync(join(ground.folder, 'ok.txt'), 'more\n'.repeat(10));
    expect(await ground.say('read', { path: 'ok.txt', offset: 5, limit: 1 })).toContain('more');
    truncateSync(join(ground.folder, 'ok.txt'), 0);
    expect(codeOf(await ground.call('read', { path: 'ok.txt', offset: 5 }))).not.toBe('EXECUTION_ERROR');
  });

  it('vector 42: a folder with very many entries is listed in part, and that is said', async () => {
    start();
    mkdirSync(join(ground.folder, 'many'));
    for (let index = 0; index < 3_000; index += 1) writeFileSync(join(ground.folder, 'many', `f${index}`), '');
    const said = await ground.say('ls', { path: 'many' });
    expect(said.length).toBeLessThan(60_000);
    expect(said).toMatch(/more|3,?000/);
  });
});
