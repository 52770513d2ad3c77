import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasJail } from '../../fixtures/has-jail.ts';
import { isLinux, runLine } from '../../fixtures/run-line.ts';
import { makeRoot } from '../../fixtures/temporary-directory.ts';
import { createJail } from '../create-jail.ts';
import { countsByNamespace } from '../bubblewrap/start-bubblewrap.ts';
import { runProcess } from '../../processes/run-process.ts';
import { type ProcessResult } from '../../processes/process-result.ts';
import { findControlGroups } from './control-groups.ts';
import { findCgroupParents } from './cgroup-parents.ts';
import { limitLine } from './limit-line.ts';
import { checkLimits, defaultLimits, type ProcessLimits } from './process-limits.ts';

const isJailAvailable = await hasJail('limits.test.ts');
const groups = await findControlGroups();
const hasGroups = groups !== undefined;
if (isLinux && !groups)
  process.stderr.write(
    'limits.test.ts: control groups are not available: only limits of single processes are tested\n',
  );

const mebibyte = 1_048_576;
/** Returns a command that allocates memory in chunks and prints the number of chunks. */
const allocate = (bytes: number): string =>
  `'${process.execPath}' -e 'const held = []; for (let at = 0; at < ${bytes / mebibyte}; at += 8) held.push(Buffer.alloc(8 * ${mebibyte}, 1)); console.log("held", held.length)'`;

describe.runIf(isLinux)('limits of a command without a jail', () => {
  const limited = (line: string, limits: ProcessLimits): Promise<ProcessResult> => runLine(line, { limits });

  it('apply to each of its processes', async () => {
    const { output } = await limited('grep -E "^Max (data|file) size" /proc/self/limits', {
      memoryBytes: 512 * mebibyte,
      fileBytes: 2 * mebibyte,
    });
    expect(output.text.replaceAll(/ +/g, ' ')).toBe(
      `Max file size ${2 * mebibyte} ${2 * mebibyte} bytes \nMax data size ${groups ? 'unlimited unlimited' : `${512 * mebibyte} ${512 * mebibyte}`} bytes \n`,
    );
  });

  it('limit file sizes', async () => {
    const { root } = makeRoot();
    const result = await runProcess({
      command: 'head -c 3000000 /dev/zero > a; wc -c < a',
      shell: true,
      cwd: root,
      limits: { fileBytes: mebibyte },
    });
    expect(result.output.text).toMatch(/1048576\n$/);
    expect(result.unenforced).toEqual([]);
  });

  it('limit memory and report an exceeded limit if the system does', async () => {
    expect(await limited(allocate(64 * mebibyte), { memoryBytes: 1_024 * mebibyte })).toMatchObject({
      exitCode: 0,
      limitReached: null,
      output: { text: 'held 8\n' },
    });
    const result = await limited(allocate(600 * mebibyte), { memoryBytes: 256 * mebibyte });
    expect(result.output.text).not.toContain('held');
    expect(result.exitCode).not.toBe(0);
    if (groups) expect(result.limitReached).toBe('memory');
    else expect(result.unenforced).toEqual([expect.stringContaining('per process')]);
  });

  it.skipIf(!hasGroups)('limit the number of processes', async () => {
    const result = await limited('for i in $(seq 40); do sleep 5 & done; echo end', { processes: 20 });
    expect(result).toMatchObject({ limitReached: 'processes', survivors: [] });
    expect(result.output.text).toMatch(/fork/i);
  });

  it('are listed in "unenforced" if they cannot be enforced', async () => {
    expect((await limited('true', { processes: 20 })).unenforced).toHaveLength(groups ? 0 : 1);
    expect((await limited('true', {})).unenforced).toEqual([]);
    await expect(limited('true', { memoryBytes: Number.NaN })).rejects.toThrow(TypeError);
    expect(() => checkLimits({ processes: 0 })).toThrow(/processes: invalid \(expected a number from 1/);
  });
});

describe.skipIf(!isJailAvailable)('limits of a jail', () => {
  const jailed = async (line: string, limits: ProcessLimits & { readonly temporaryBytes?: number } = {}) => {
    const { root } = makeRoot();
    const jail = await createJail({ policy: 'required', write: [root], read: [process.execPath], limits });
    if (!jail.ok) throw new Error(jail.message);
    return { jail, result: await runProcess({ command: line, shell: true, cwd: root, jail, timeoutMs: 30_000 }) };
  };

  it('have defaults', async () => {
    const { result } = await jailed('grep -E "^Max (data|file|proc)" /proc/self/limits');
    const { memoryBytes, fileBytes, processes } = defaultLimits();
    const valueOf = (name: string): number => Number(new RegExp(`${name} +(\\d+)`).exec(result.output.text)?.[1]);
    if (!groups) expect(valueOf('Max data size')).toBeLessThanOrEqual(memoryBytes + 1_024);
    expect(valueOf('Max file size')).toBe(fileBytes);
    // A group counts all processes of the command, including those of root, which the other limit does not count.
    if (!groups && countsByNamespace()) expect(valueOf('Max processes')).toBe(processes);
  });

  it('can be removed one by one', async () => {
    const limits = { memoryBytes: Infinity, processes: Infinity, fileBytes: Infinity };
    const { result, jail } = await jailed('grep -cE "^Max (data|file) size +unlimited" /proc/self/limits', limits);
    expect(result.output.text).toBe('2\n');
    expect(jail.gaps).toEqual([]);
  });

  it('limit memory, or are listed as not enforced', async () => {
    const { result, jail } = await jailed(allocate(600 * mebibyte), { memoryBytes: 256 * mebibyte });
    expect(result.output.text).not.toContain('held');
    if (groups) expect(result).toMatchObject({ limitReached: 'memory' });
    else expect(jail.gaps).toContainEqual(expect.stringContaining('memory'));
  });

  it('limit processes, or report a gap', async () => {
    const { result, jail } = await jailed('for i in $(seq 40); do sleep 2 & done; echo end', { processes: 20 });
    const holds = groups !== undefined || (process.getuid?.() !== 0 && countsByNamespace());
    if (holds) expect(result.output.text).toMatch(/fork/i);
    else expect(jail.gaps).toContainEqual(expect.stringContaining('processes is not limited'));
  });

  it('leave no control group behind', async () => {
    const { jail, result } = await jailed('true');
    expect(result.exitCode).toBe(0);
    expect(jail.settle(result.pid!)).toBeNull();
  });
});

describe('findGroupHomes', () => {
  const make = (files: Readonly<Record<string, string>>): string => {
    const { root } = makeRoot();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return root;
  };

  it('returns groups of version 1 below its own, or the root if its own path belongs to the host', () => {
    const root = make({
      'memory/memory.use_hierarchy': '1',
      'memory/a/memory.use_hierarchy': '1',
      'pids/cgroup.procs': '',
    });
    expect(findCgroupParents(root, '4:memory:/a\n3:pids:/docker/x\n0::/\n')).toEqual({
      version: 1,
      memory: join(root, 'memory/a'),
      pids: join(root, 'pids'),
    });
  });

  it('returns the nearest group of version 2 that delegates both controllers', () => {
    const root = make({
      'user/cgroup.subtree_control': 'cpu memory pids\n',
      'user/cgroup.procs': '',
      'user/app/cgroup.subtree_control': 'pids\n',
      'user/app/cgroup.procs': '',
      'user/app/me/cgroup.subtree_control': '\n',
      'user/app/me/cgroup.procs': '',
    });
    expect(findCgroupParents(root, '0::/user/app/me\n')).toEqual({
      version: 2,
      memory: join(root, 'user'),
      pids: join(root, 'user'),
    });
  });

  it('returns undefined without control groups', () => {
    expect(findCgroupParents(makeRoot().root, '0::/user/app/me\n')).toBeUndefined();
    expect(findCgroupParents('/nowhere', '')).toBeUndefined();
  });
});

describe('limitLine and countsByNamespace', () => {
  it('set each given limit', () => {
    const none = { memoryBytes: Infinity, processes: Infinity, fileBytes: Infinity };
    const both = { memory: true, processes: true };
    expect(limitLine(none, both)).toBe('');
    expect(limitLine({ ...none, memoryBytes: 5, processes: 5 }, { memory: false, processes: false })).toBe('');
    expect(limitLine({ memoryBytes: 2_048, processes: 5, fileBytes: 1_000 }, both)).toBe(
      'ulimit -d 2 2>/dev/null; ulimit -f 2 2>/dev/null; ulimit -p 5 2>/dev/null || ulimit -u 5 2>/dev/null; ',
    );
  });

  it.each([
    ['6.1.0-13-amd64', true],
    ['5.14.0', true],
    ['5.13.9', false],
    ['4.18.0-553.el8', false],
  ])('Linux %s counts processes by user namespace: %s', (version, counts) => {
    expect(countsByNamespace(version)).toBe(counts);
  });
});
