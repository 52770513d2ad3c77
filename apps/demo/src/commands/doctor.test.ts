import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { findDatabase, findServers, findTerminal, findTool } from '../doctor/findings.ts';
import { findProgram } from '../doctor/find-program.ts';
import { runCli } from '../testing/run-cli.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const never = new AbortController().signal;

test('doctor lists what the machine can do, as text and as one JSON value', async () => {
  const text = await runCli(['doctor']);
  expect(text.stdout).toContain(`ok       node: ${process.version} on ${process.platform}`);
  for (const what of ['jail', 'git', 'database', 'terminal']) expect(text.stdout).toMatch(new RegExp(`  ${what}: `));
  const json = await runCli(['doctor', '--json']);
  const findings = JSON.parse(json.stdout) as readonly {
    readonly what: string;
    readonly state: string;
    remedy?: string;
  }[];
  // There is no terminal here.
  expect([json.code, findings.find(({ what }) => what === 'terminal')?.state]).toEqual([1, 'missing']);
  for (const { state, remedy } of findings) expect(remedy === undefined).toBe(state === 'ok');
});

test('doctor says how to install what is missing', async () => {
  expect(findTool('git', 'no version control', 'install git', { PATH: '' })).toEqual({
    what: 'git',
    state: 'missing',
    found: 'not installed; no version control',
    remedy: 'install git',
  });
  expect(await findDatabase(() => Promise.reject(new Error('gone')))).toMatchObject({
    remedy: 'npm install better-sqlite3',
  });
  expect(findTerminal(false, 100, false).remedy).toContain('--yes');
});

test('doctor reports which servers can be reached, and starts none', async () => {
  const server = createServer((_, response) => response.writeHead(405).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const servers = {
    here: { command: 'node' },
    gone: { command: 'no-such-program' },
    web: { url: `http://127.0.0.1:${port}/mcp` },
    dark: { url: 'http://127.0.0.1:1/mcp' },
  };
  const contents = {
    servers,
    disabled: [{ name: 'off', reason: 'its entry says "disabled": true' }],
    problems: [{ name: 'odd', reason: 'unknown member comand; did you mean command?' }],
  };
  const found = await findServers(contents, { signal: never });
  expect(found.map(({ what, state }) => [what, state])).toEqual([
    ['server here', 'ok'],
    ['server gone', 'missing'],
    ['server web', 'ok'],
    ['server dark', 'missing'],
    ['server off', 'ok'],
    ['server odd', 'missing'],
  ]);
});

test('findProgram finds programs with the endings of Windows', async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'tool.CMD'), '');
  const PATH = ['/nowhere', folder].join(delimiter);
  expect(findProgram('tool', { PATH, PATHEXT: '.EXE;.CMD' }, 'win32')).toBe(join(folder, 'tool.CMD'));
  expect(findProgram('tool', { PATH }, 'linux')).toBeUndefined();
});
