import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../program/usage-error.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { readGivenServers } from './read-server-file.ts';

describe('readGivenServers', () => {
  test.each([
    ['npx -y some-server', 'npx', ['-y', 'some-server']],
    [`node "my server.js" --name='a b' ''`, 'node', ['my server.js', '--name=a b', '']],
    ['  server  ', 'server', []],
  ])('parses %j as a command', async (line, command, args) => {
    expect(await readGivenServers(line, '/here')).toEqual({ kind: 'command', command, args });
  });

  test('reads the configuration file of other MCP clients, with paths relative to it', async () => {
    const servers = {
      one: { command: 'a', env: { KEY: 'v' } },
      two: { command: 'b', args: ['-x'], cwd: 'sub' },
      far: { type: 'http', url: 'https://example.com/mcp' },
      bad: { command: 1 },
    };
    const folder = await createTemporaryFolder(onTestFinished, {
      'mcp.json': JSON.stringify({ mcpServers: servers, other: 1 }),
    });
    expect(await readGivenServers('mcp.json', folder)).toMatchObject({
      kind: 'file',
      isInFolder: true,
      configuration: {
        servers: {
          one: { command: 'a', env: { KEY: 'v' }, cwd: folder },
          two: { command: 'b', args: ['-x'], cwd: join(folder, 'sub') },
          far: { url: 'https://example.com/mcp' },
        },
        problems: [{ name: 'bad' }],
      },
    });
  });

  test('says whether the file is in the working folder, also through a link', async () => {
    const outside = await createTemporaryFolder(onTestFinished, { 'mcp.json': '{"mcpServers": {}}' });
    const folder = await createTemporaryFolder(onTestFinished, { 'own.json': '{"mcpServers": {}}' });
    symlinkSync(join(folder, 'own.json'), join(outside, 'link.json'));
    const isInFolder = async (name: string): Promise<unknown> =>
      (await readGivenServers(join(outside, name), folder)) as { readonly isInFolder?: boolean };
    expect(await isInFolder('mcp.json')).toMatchObject({ isInFolder: false });
    expect(await isInFolder('link.json')).toMatchObject({ isInFolder: true });
  });

  test.each([
    ['{\n "mcpServers":', /^--mcp mcp\.json: invalid JSON in line 2: value expected$/],
    ['[]', /^--mcp mcp\.json: expected an object/],
    ['{}', /^--mcp mcp\.json: no servers in any known format/],
  ])('explains what is wrong with %j', async (text, expected) => {
    const folder = await createTemporaryFolder(onTestFinished, { 'mcp.json': text });
    await expect(readGivenServers('mcp.json', folder)).rejects.toThrow(UsageError);
    await expect(readGivenServers('mcp.json', folder)).rejects.toThrow(expected);
  });

  test('refuses a missing file and an empty value', async () => {
    await expect(readGivenServers('missing.json', '/here')).rejects.toThrow('no such file');
    await expect(readGivenServers('   ', '/here')).rejects.toThrow('needs a JSON file or a command');
  });
});
