import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../program/usage-error.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { readServerSpecifications } from './server-specifications.ts';

describe('readServerSpecifications', () => {
  test.each([
    ['npx -y some-server', 'npx', ['-y', 'some-server']],
    [`node "my server.js" --name='a b' ''`, 'node', ['my server.js', '--name=a b', '']],
    ['  server  ', 'server', []],
  ])('takes %j for a command', (line, command, args) => {
    expect(readServerSpecifications(line, '/here')).toEqual([{ command, args, cwd: '/here' }]);
  });

  test("reads the file that other MCP clients keep, with folders from the file's own", async () => {
    const servers = { one: { command: 'a', env: { KEY: 'v' } }, two: { command: 'b', args: ['-x'], cwd: 'sub' } };
    const folder = await createTemporaryFolder(onTestFinished, {
      'mcp.json': JSON.stringify({ mcpServers: servers, other: 1 }),
    });
    expect(readServerSpecifications('mcp.json', folder)).toEqual([
      { name: 'one', command: 'a', args: [], env: { KEY: 'v' }, cwd: folder },
      { name: 'two', command: 'b', args: ['-x'], env: undefined, cwd: join(folder, 'sub') },
    ]);
  });

  test.each([
    ['{', /can not be read/],
    ['[]', /expected \{"mcpServers"/],
    ['{"mcpServers": {"far": {"url": "http://localhost"}}}', /mcpServers\.far\.command/],
  ])('says what is wrong with %j', async (text, expected) => {
    const folder = await createTemporaryFolder(onTestFinished, { 'mcp.json': text });
    expect(() => readServerSpecifications('mcp.json', folder)).toThrow(UsageError);
    expect(() => readServerSpecifications('mcp.json', folder)).toThrow(expected);
  });

  test('takes neither a missing file nor nothing for a command', () => {
    expect(() => readServerSpecifications('missing.json', '/here')).toThrow('there is no such file');
    expect(() => readServerSpecifications('   ', '/here')).toThrow('needs a JSON file or a command');
  });
});
