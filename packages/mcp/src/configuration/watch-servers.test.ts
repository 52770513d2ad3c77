import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolRegistry } from '@haft/core';
import { afterEach, describe, expect, it } from 'vitest';
import { rawServer } from '../fixtures/test-connection.ts';
import { createConnectionManager, watchServers, type WatchReport } from '../index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

describe('a watched configuration', () => {
  it('connects, changes and removes servers when it is saved, with approvals', { timeout: 60_000 }, async () => {
    const root = mkdtempSync(join(tmpdir(), 'haft-watch-'));
    cleanups.push(() => rmSync(root, { recursive: true }));
    const file = join(root, 'mcp.json');
    let saves = 0;
    // Saves a file as editors do: a new file replaces the old one.
    const save = (text: string): void => {
      saves += 1;
      writeFileSync(`${file}.${saves}`, text);
      renameSync(`${file}.${saves}`, file);
    };
    const server = (mode: string, more: object = {}): object => {
      const { command, args } = rawServer(mode);
      return { command, args, ...more };
    };
    const registry = new ToolRegistry();
    const asked: string[] = [];
    const manager = createConnectionManager({
      registry,
      confirmCommand: ({ connection }) => {
        asked.push(connection);
        return connection !== 'refused';
      },
    });
    cleanups.push(() => manager.stop());
    const waiting: ((report: WatchReport) => void)[] = [];
    const next = (): Promise<WatchReport> => new Promise((resolve) => waiting.push(resolve));

    save(JSON.stringify({ mcpServers: { one: server('plain'), two: server('plain'), refused: server('mute') } }));
    const watched = watchServers(file, { manager, onChange: (report) => waiting.shift()?.(report) });
    cleanups.push(() => watched.close());
    expect(await watched.ready).toMatchObject({
      added: ['one', 'refused', 'two'],
      changed: [],
      removed: [],
      problems: [],
    });
    expect(asked.toSorted()).toEqual(['one', 'refused', 'two']);
    expect(registry.names).toContain('one_act');
    expect(manager.connections().find(({ name }) => name === 'refused')?.state).toBe('unapproved');

    const changed = next();
    save(JSON.stringify({ mcpServers: { one: server('plain', { excludeTools: ['act'] }), three: server('plain') } }));
    expect(await changed).toMatchObject({ added: ['three'], changed: ['one'], removed: ['refused', 'two'] });
    expect(registry.names).not.toContain('one_act');
    expect(registry.names).toEqual(expect.arrayContaining(['one_lists', 'three_act']));
    expect(registry.names.some((name) => name.startsWith('two_'))).toBe(false);

    const broken = next();
    save('{"mcpServers": {');
    expect(await broken).toMatchObject({ added: [], changed: [], removed: [], imported: undefined });
    expect((await watched.ready).problems).toEqual([]);
    expect(registry.names).toContain('three_act');
  });

  it('applies a change while an earlier server waits for approval, and withdraws its question', async () => {
    const root = mkdtempSync(join(tmpdir(), 'haft-watch-'));
    cleanups.push(() => rmSync(root, { recursive: true }));
    const file = join(root, 'mcp.json');
    const { command, args } = rawServer('plain');
    const raw = { command, args };
    const save = (more: readonly string[]): void =>
      writeFileSync(file, JSON.stringify({ mcpServers: { slow: { command, args: [...args, ...more] } } }));
    const registry = new ToolRegistry();
    const lines: string[] = [];
    const asked = Promise.withResolvers<AbortSignal>();
    const manager = createConnectionManager({
      registry,
      confirmCommand({ line }, signal) {
        lines.push(line);
        if (lines.length > 1) return true;
        asked.resolve(signal);
        // The user never answers the first question.
        return new Promise<boolean>(() => {});
      },
    });
    cleanups.push(() => manager.stop());
    save(['first']);
    const reports: WatchReport[] = [];
    let onQuick = (): void => {};
    const quick = new Promise<void>((resolve) => (onQuick = resolve));
    const onChange = (report: WatchReport): void => {
      reports.push(report);
      if (report.added.includes('quick')) onQuick();
    };
    const watched = watchServers(file, { manager, onChange });
    cleanups.push(() => watched.close());
    const withdrawn = await asked.promise;
    expect(manager.connections()).toMatchObject([
      { name: 'slow', state: 'connecting', reason: 'the user is asked to approve its command' },
    ]);

    // A server that waits does not hold up another one.
    writeFileSync(file, JSON.stringify({ mcpServers: { slow: { command, args: [...args, 'first'] }, quick: raw } }));
    await quick;
    expect(reports).toMatchObject([{ added: ['quick'] }]);

    save(['second']);
    await watched.refresh();
    expect(withdrawn.aborted).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/first$/),
      expect.stringMatching(/plain$/),
      expect.stringMatching(/second$/),
    ]);
    expect(manager.connections()).toMatchObject([{ name: 'slow', state: 'ready' }]);
    expect(registry.names).toContain('slow_act');
    expect(await watched.ready).toMatchObject({ added: ['slow'], problems: [] });
    expect(reports.map(({ added, changed }) => [added, changed])).toContainEqual([[], ['slow']]);
  });

  it('is followed when its folder is removed and created again', async () => {
    const root = mkdtempSync(join(tmpdir(), 'haft-watch-'));
    cleanups.push(() => rmSync(root, { recursive: true }));
    const folder = join(root, 'deep', '.vscode');
    const save = (name: string): void => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'new.json'), JSON.stringify({ servers: { [name]: { command: 'x' } } }));
      renameSync(join(folder, 'new.json'), join(folder, 'mcp.json'));
    };
    const manager = createConnectionManager({ registry: new ToolRegistry() });
    cleanups.push(() => manager.stop());
    save('one');
    let onReport = (_report: WatchReport): void => {};
    const until = (isIt: (report: WatchReport) => boolean): Promise<void> =>
      new Promise((resolve) => (onReport = (report) => isIt(report) && resolve()));
    const watched = watchServers(join(folder, 'mcp.json'), { manager, onChange: (report) => onReport(report) });
    cleanups.push(() => watched.close());
    await watched.ready;

    const gone = until(({ imported }) => imported === undefined);
    rmSync(join(root, 'deep'), { recursive: true });
    await gone;
    expect(manager.connections().map(({ name }) => name)).toEqual(['one']);
    for (const name of ['two', 'three']) {
      const added = until((report) => report.added.includes(name));
      save(name);
      await added;
      expect(manager.connections().map((one) => one.name)).toEqual([name]);
    }
  });

  it('is followed through a link, even when another program replaces its target', { timeout: 60_000 }, async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'haft-watch-')));
    cleanups.push(() => rmSync(root, { recursive: true }));
    for (const name of ['home', 'dotfiles']) mkdirSync(join(root, name));
    const [link, target] = [join(root, 'home/mcp.json'), join(root, 'dotfiles/mcp.json')];
    const { command, args } = rawServer('plain');
    writeFileSync(target, JSON.stringify({ mcpServers: { one: { command, args } } }));
    symlinkSync(target, link);
    const manager = createConnectionManager({ registry: new ToolRegistry(), confirmCommand: () => false });
    cleanups.push(() => manager.stop());
    const waiting: ((report: WatchReport) => void)[] = [];
    const next = (): Promise<WatchReport> => new Promise((resolve) => waiting.push(resolve));
    const watched = watchServers(link, { manager, onChange: (report) => waiting.shift()?.(report) });
    cleanups.push(() => watched.close());
    expect(await watched.ready).toMatchObject({ added: ['one'] });

    const changed = next();
    writeFileSync(
      `${target}.new`,
      JSON.stringify({ mcpServers: { 'a b': { command, args }, 'a-b': { command, args } } }),
    );
    renameSync(`${target}.new`, target);
    expect(await changed).toMatchObject({
      removed: ['one'],
      problems: [{ name: expect.stringMatching(/^a.b$/), reason: expect.stringContaining('already named') }],
    });
  });
});
