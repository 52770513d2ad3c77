import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { importServers, McpError } from '../index.ts';
import { expandReferences } from '../manager/expand-references.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const end of cleanups.splice(0)) end();
});

function directory(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'haft-import-'));
  cleanups.push(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

describe('an imported configuration', () => {
  it('of Claude, Cursor, Windsurf, Cline and Gemini is read with tool filters, and explains what has no effect', async () => {
    const { format, servers, disabled, problems, unsupported } = await importServers(
      JSON.stringify({
        mcpServers: {
          files: {
            command: 'npx',
            args: ['-y', 'files', '.'],
            env: { TOKEN: '${TOKEN}' },
            autoApprove: ['read'],
            timeout: 5,
          },
          docs: {
            httpUrl: 'https://docs.example.com/mcp',
            headers: { 'x-key': 'a' },
            includeTools: ['search'],
            trust: true,
            'st\u202Er\u001Bange': 1,
          },
          old: { serverUrl: 'https://old.example.com/sse', disabledTools: ['drop'] },
          off: { command: 'x', envFile: 'missing.env', disabled: true },
          both: { command: 'x', url: 'https://example.com' },
        },
        projects: { '/srv': { mcpServers: {} } },
      }),
    );
    expect(format).toBe('mcpServers');
    expect(servers).toEqual({
      files: { command: 'npx', args: ['-y', 'files', '.'], env: { TOKEN: '${TOKEN}' } },
      docs: { url: 'https://docs.example.com/mcp', headers: { 'x-key': 'a' }, includeTools: ['search'] },
      old: { url: 'https://old.example.com/sse', excludeTools: ['drop'] },
    });
    expect(problems.map(({ name }) => name)).toEqual(['both']);
    expect(disabled).toEqual([{ name: 'off', reason: 'its entry says "disabled": true' }]);
    expect(unsupported.map(({ name, member }) => [name, member])).toEqual([
      ['', 'projects'],
      ['files', 'autoApprove'],
      ['files', 'timeout'],
      ['docs', 'trust'],
      ['docs', 'strange'],
    ]);
    expect(unsupported[1]).toEqual({
      name: 'files',
      member: 'autoApprove',
      reason: 'a configuration file must not allow calls',
      hint: 'Allow the tools with a rule of your permission engine.',
    });
    for (const { reason, hint } of unsupported) expect([reason, hint]).not.toContain('');
  });

  it('of VS Code is read with comments, inputs, an environment file and the folder of the workspace', async () => {
    const root = directory({
      '.vscode/mcp.json': `{
        // Asked once.
        "inputs": [{ "type": "promptString", "id": "key", "description": "API key", "password": true }],
        "servers": {
          "api": {
            "type": "stdio", "command": "node", "args": ["\${workspaceFolder}/server.js", "\${userHome}"],
            "envFile": "\${workspaceFolder}/.env", "env": { "KEY": "\${input:key}", "MODE": "own" }, "dev": { "watch": "*" },
          },
          "lost": { "command": "node", "envFile": "missing.env" },
        },
      }`,
      '.env': 'A=1\nMODE=file\nQUOTED="two words"\n',
    });
    const imported = await importServers(join(root, '.vscode/mcp.json'));
    expect(imported.format).toBe('vscode');
    expect(imported.servers).toEqual({
      api: {
        command: 'node',
        args: [`${root}/server.js`, homedir()],
        // VS Code starts servers in the folder of the workspace.
        cwd: root,
        env: { A: '1', MODE: 'own', QUOTED: 'two words', KEY: '${input:key}' },
      },
    });
    expect(imported.inputs).toEqual([{ id: 'input:key', description: 'API key', isSecret: true, isRequired: true }]);
    expect(imported.unsupported).toMatchObject([{ name: 'api', member: 'dev' }]);
    expect(imported.problems).toMatchObject([{ name: 'lost', reason: expect.stringContaining('missing.env') }]);
    const settings = await importServers('{"mcp": {"servers": {"a": {"command": "b"}}}}');
    expect(settings.servers).toEqual({ a: { command: 'b' } });
  });

  it('of Zed is read with both forms of commands', async () => {
    const { format, servers } = await importServers(
      '{"context_servers": {"a": {"command": {"path": "x", "args": ["1"], "env": {"K": "v"}}}, "b": {"source": "custom", "command": "y", "args": []}}}',
    );
    expect(format).toBe('zed');
    expect(servers).toEqual({ a: { command: 'x', args: ['1'], env: { K: 'v' } }, b: { command: 'y', args: [] } });
  });

  it('of Codex is read from TOML with its filters and references', async () => {
    const { format, servers, disabled, unsupported } = await importServers(`
model = "x"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
env_vars = ["HOME_TOKEN"]
enabled_tools = ["search"]
startup_timeout_sec = 20
[mcp_servers.docs.env]
MODE = "fast"
[mcp_servers.remote]
url = "https://example.com/mcp"
bearer_token_env_var = "REMOTE_TOKEN"
disabled_tools = ["drop"]
env_http_headers = { "X-Team" = "TEAM" }
[mcp_servers.off]
command = "x"
enabled = false
`);
    expect(format).toBe('codex');
    expect(servers).toEqual({
      docs: {
        command: 'npx',
        args: ['-y', 'docs'],
        env: { HOME_TOKEN: '${HOME_TOKEN:-}', MODE: 'fast' },
        includeTools: ['search'],
      },
      remote: {
        url: 'https://example.com/mcp',
        headers: { 'X-Team': '${TEAM}', authorization: 'Bearer ${REMOTE_TOKEN}' },
        excludeTools: ['drop'],
      },
    });
    expect(disabled).toEqual([{ name: 'off', reason: 'its entry says "enabled": false' }]);
    expect(unsupported).toMatchObject([
      { name: 'docs', member: 'startup_timeout_sec', hint: expect.stringContaining('startTimeoutMs') },
    ]);
  });

  it('of opencode is read with its commands and references', async () => {
    const { format, servers, unsupported } = await importServers(
      '{"mcp": {"a": {"type": "local", "command": ["bun", "x", "srv"], "environment": {"K": "{env:KEY}"}}, "b": {"type": "remote", "url": "https://b.example.com", "headers": {"x": "{file:./key}"}, "enabled": true}}}',
    );
    expect(format).toBe('opencode');
    expect(servers).toMatchObject({
      a: { command: 'bun', args: ['x', 'srv'], env: { K: '${KEY}' } },
      b: { url: 'https://b.example.com' },
    });
    expect(unsupported).toMatchObject([{ name: 'b', member: '{file:…}' }]);
  });

  it('of GitHub Copilot keeps its filter of tools', async () => {
    const { servers } = await importServers(
      '{"mcpServers": {"some": {"type": "local", "command": "x", "args": ["$COPILOT_MCP_A"], "tools": ["read"], "env": {"K": "COPILOT_MCP_KEY"}}, "all": {"type": "http", "url": "https://a.example.com", "tools": ["*"]}, "none": {"command": "y", "tools": []}}}',
    );
    expect(servers).toEqual({
      some: { command: 'x', args: ['${COPILOT_MCP_A}'], env: { K: '${COPILOT_MCP_KEY}' }, includeTools: ['read'] },
      all: { url: 'https://a.example.com' },
      none: { command: 'y', includeTools: [] },
    });
  });

  it('of the registry becomes a command with its variables, or a remote', async () => {
    const npm = await importServers(
      JSON.stringify({
        name: 'io.github.ada/notes',
        packages: [
          {
            registryType: 'npm',
            identifier: '@ada/notes',
            version: '1.2.0',
            transport: { type: 'stdio' },
            packageArguments: [
              { type: 'positional', value: 'serve' },
              { type: 'named', name: '--root', isRequired: true, description: 'Folder' },
              { type: 'named', name: '--color' },
            ],
            environmentVariables: [
              { name: 'NOTES_KEY', isRequired: true, isSecret: true, description: 'Key' },
              { name: 'LEVEL', default: 'info' },
            ],
          },
        ],
      }),
    );
    expect(npm).toMatchObject({
      format: 'registry',
      servers: {
        notes: {
          command: 'npx',
          args: ['-y', '@ada/notes@1.2.0', 'serve', '--root', '${input:root}'],
          env: { NOTES_KEY: '${NOTES_KEY}', LEVEL: '${LEVEL:-info}' },
        },
      },
    });
    expect(npm.inputs.map(({ id, isSecret }) => [id, isSecret])).toEqual([
      ['NOTES_KEY', true],
      ['LEVEL', false],
      ['input:root', false],
    ]);
    const docker = await importServers(
      '{"name": "a/b", "packages": [{"registryType": "oci", "identifier": "ghcr.io/a/b", "version": "2", "environmentVariables": [{"name": "K"}]}]}',
    );
    expect(docker.servers).toEqual({
      b: { command: 'docker', args: ['run', '-i', '--rm', '-e', 'K', 'ghcr.io/a/b:2'], env: { K: '${K:-}' } },
    });
    const remote = await importServers(
      '{"name": "a/c", "remotes": [{"type": "streamable-http", "url": "https://c.example.com/mcp", "headers": [{"name": "Authorization", "value": "Bearer {token}", "isRequired": true}]}]}',
    );
    expect(remote.servers).toEqual({
      c: { url: 'https://c.example.com/mcp', headers: { Authorization: 'Bearer ${input:Authorization}' } },
    });
  });

  it('of a bundle becomes a command in its folder, with the settings of the user', async () => {
    const root = directory({
      'manifest.json': JSON.stringify({
        manifest_version: '0.3',
        name: 'bundle',
        server: {
          type: 'node',
          entry_point: 'server.js',
          mcp_config: {
            command: 'node',
            args: ['${__dirname}/server.js', '--limit=${user_config.limit}'],
            env: { KEY: '${user_config.key}' },
          },
        },
        user_config: {
          key: { type: 'string', title: 'Key', sensitive: true, required: true },
          limit: { type: 'number', title: 'Limit', default: 5 },
        },
      }),
    });
    const { format, servers, inputs } = await importServers(join(root, 'manifest.json'));
    expect(format).toBe('mcpb');
    expect(servers).toEqual({
      bundle: {
        command: 'node',
        args: [`${root}/server.js`, '--limit=${user_config.limit:-5}'],
        env: { KEY: '${user_config.key}' },
      },
    });
    expect(inputs).toMatchObject([
      { id: 'user_config.key', isSecret: true, isRequired: true },
      { id: 'user_config.limit', default: '5' },
    ]);
  });

  it('of Gemini CLI is read with its references, and lists the servers that it does not use as disabled', async () => {
    const { servers, disabled } = await importServers(
      '{"mcp": {"allowed": ["on", "off"], "excluded": ["off"]}, "mcpServers": {"on": {"command": "x", "args": ["$HOME"], "env": {"K": "$KEY", "PRICE": "5$", "NONE": null}}, "off": {"command": "y"}, "other": {"command": "z"}}}',
    );
    expect(servers).toEqual({
      on: { command: 'x', args: ['$HOME'], env: { K: '${KEY}', PRICE: '5$' } },
    });
    expect(disabled).toEqual([
      { name: 'off', reason: '"mcp.excluded" names it' },
      { name: 'other', reason: '"mcp.allowed" does not name it' },
    ]);
    const header = await importServers(
      '{"mcpServers": {"web": {"httpUrl": "https://a.example.com", "headers": {"Authorization": "Bearer $TOKEN"}}}}',
    );
    expect(header.servers).toEqual({
      web: { url: 'https://a.example.com', headers: { Authorization: 'Bearer ${TOKEN}' } },
    });
  });

  it('of opencode is read with its rules for tools, and lists unsupported rules', async () => {
    const mcp = { web: { url: 'https://w.example.com' }, files: { command: ['f'] }, off: { command: ['o'] } };
    const { servers, disabled, unsupported } = await importServers(
      JSON.stringify({
        mcp,
        tools: { 'web_*': false, web_search: true, files_write: false, 'files_del*': false, bash: false },
        permission: { 'off_*': 'deny', edit: 'deny', files_read: 'allow' },
      }),
    );
    expect(servers).toEqual({
      web: { url: 'https://w.example.com', includeTools: ['search'] },
      files: { command: 'f', args: [], excludeTools: ['write'] },
    });
    expect(disabled).toEqual([{ name: 'off', reason: 'a rule in "tools" or "permission" turns off all of its tools' }]);
    expect(unsupported).toMatchObject([{ name: '', member: 'files_del*' }]);
  });

  it('lists references, profiles and extensions that only its own client can resolve', async () => {
    const windsurf = await importServers(
      '{"mcpServers": {"w": {"serverUrl": "https://w.example.com", "headers": {"A": "Bearer ${file:/key}", "B": "${env:X}"}}}}',
    );
    expect(windsurf.unsupported).toMatchObject([
      { name: 'w', member: '${file:/key}', hint: expect.stringContaining('${NAME}') },
    ]);
    const zed = await importServers(
      '{"context_servers": {"ext": {"settings": {}}, "own": {"command": "x", "env": null}}, "agent": {"profiles": {"write": {"context_servers": {"own": {"tools": {"drop": false}}}}}}}',
    );
    expect(zed.servers).toEqual({ own: { command: 'x' } });
    expect(zed.problems).toMatchObject([{ name: 'ext', reason: expect.stringContaining('extension') }]);
    expect(zed.unsupported).toMatchObject([{ name: '', member: 'agent.profiles' }]);
    const bad = await importServers('{"mcpServers": {"socket": {"type": "ws", "url": "wss://a.example.com"}}}');
    expect(bad.problems).toEqual([{ name: 'socket', reason: 'url: expected http: or https:, got wss:' }]);
  });

  it('of VS Code uses the defaults of its inputs', async () => {
    const { servers, inputs } = await importServers(
      '{"inputs": [{"type": "pickString", "id": "region", "options": ["eu", "us"], "default": "eu"}], "servers": {"a": {"command": "x", "args": ["${input:region}", "${input:other}"]}}}',
    );
    expect(servers).toEqual({ a: { command: 'x', args: ['${input:region:-eu}', '${input:other}'] } });
    expect(inputs).toEqual([
      { id: 'input:region', description: '', isSecret: false, isRequired: false, default: 'eu' },
    ]);
  });

  it('of the registry replaces variables, and never takes a package from another registry', async () => {
    const read = (one: object) => importServers(JSON.stringify({ name: 'a/b', ...one }));
    const npm = { registryType: 'npm', identifier: 'b' };
    const argument = { type: 'named', name: '--url', value: 'https://{host}/{id}' };
    const variables = { host: { default: 'a.example.com' }, id: { isRequired: true, isSecret: true } };
    const filled = await read({ packages: [{ ...npm, packageArguments: [{ ...argument, variables }] }] });
    expect(filled.servers).toEqual({
      b: { command: 'npx', args: ['-y', 'b', '--url', 'https://${input:host:-a.example.com}/${input:id}'] },
    });
    expect(filled.inputs.map(({ id, isSecret }) => [id, isSecret])).toEqual([
      ['input:host', false],
      ['input:id', true],
    ]);
    const unknown = await read({ packages: [{ ...npm, packageArguments: [argument] }] });
    expect(unknown.unsupported).toMatchObject([{ member: '{host}' }, { member: '{id}' }]);
    const remote = await read({
      remotes: [{ url: 'https://{tenant}.example.com/mcp', variables: { tenant: { isRequired: true } } }],
    });
    expect(remote.servers).toEqual({ b: { url: 'https://${input:tenant}.example.com/mcp' } });
    const other = await read({ packages: [{ ...npm, registryBaseUrl: 'https://npm.corp.example' }] });
    expect(other.servers).toEqual({});
    expect(other.unsupported[0]?.reason).toContain('another registry');
    for (const [registryType, identifier, version] of [
      ['npm', '--eval=evil'],
      ['npm', 'https://evil.example/x.tgz'],
      ['npm', 'b', 'npm:evil@1'],
      ['npm', 'b', '1 --evil'],
      ['pypi', 'git+https://evil.example/x'],
      ['oci', '--privileged'],
    ]) {
      const refused = await read({ packages: [{ registryType, identifier, version }] });
      expect([refused.servers, refused.unsupported[0]?.member]).toEqual([{}, 'identifier']);
    }
    const official = await read({
      packages: [{ registryType: 'oci', registryBaseUrl: 'https://docker.io', identifier: 'b', version: '2' }],
    });
    expect(official.servers).toEqual({ b: { command: 'docker', args: ['run', '-i', '--rm', 'b:2'] } });
    const nuget = await read({
      packages: [{ registryType: 'nuget', identifier: 'B', packageArguments: [{ type: 'positional', value: 'mcp' }] }],
    });
    expect(nuget.servers).toEqual({ b: { command: 'dnx', args: ['B', '--yes', '--', 'mcp'] } });
  });

  it('of a bundle supports folders of the user, defaults with several values and platforms', async () => {
    const { servers, unsupported } = await importServers(
      JSON.stringify({
        manifest_version: '0.3',
        name: 'b',
        compatibility: { platforms: ['plan9'] },
        server: { mcp_config: { command: 'node', args: ['${user_config.roots}', '${user_config.out}'] } },
        user_config: {
          roots: { multiple: true, default: ['${HOME}/a', '${DESKTOP}'] },
          out: { default: '${DOCUMENTS}/b' },
        },
      }),
    );
    const home = homedir();
    expect(servers).toEqual({
      b: {
        command: 'node',
        args: [`${home}/a`, join(home, 'Desktop'), `\${user_config.out:-${join(home, 'Documents')}/b}`],
        env: {},
      },
    });
    expect(unsupported).toMatchObject([{ member: 'compatibility.platforms' }, { member: 'user_config.roots' }]);
  });

  it('belongs to its workspace, even if the name of the folder has special characters', async () => {
    const root = join(
      directory({ 'a$&=b/.cursor/mcp.json': '{"mcpServers": {"a": {"command": "${workspaceFolder}/x"}}}' }),
      'a$&=b',
    );
    const imported = await importServers(join(root, '.cursor/mcp.json'));
    expect(imported.directory).toBe(root);
    expect(imported.servers).toEqual({ a: { command: `${root}/x`, cwd: root } });
  });

  it('is read with a byte order mark, and never from a device or a pipe', async () => {
    expect((await importServers('\uFEFF{"mcpServers": {"a": {"command": "x"}}}')).servers).toEqual({
      a: { command: 'x' },
    });
    if (process.platform === 'win32') return;
    const pipe = join(directory({}), 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const file of ['/dev/zero', pipe]) {
      await expect(importServers(file)).rejects.toThrow(/not a regular file/);
      const { problems } = await importServers(`{"mcpServers": {"a": {"command": "x", "envFile": "${file}"}}}`);
      expect(problems).toMatchObject([{ name: 'a', reason: expect.stringContaining('not a regular file') }]);
    }
  });

  it('is read in linear time when its references never end', { timeout: 60_000 }, async () => {
    const make = (length: number): string =>
      `{"mcpServers": {"a": {"command": "x", "args": ["${'${a:-'.repeat(length)}"]}}}`;
    const growth = await growthOf(
      make,
      async (text) => {
        const { servers } = await importServers(text);
        expect(expandReferences(servers['a']!, {})).toMatchObject({ ok: true });
      },
      1_000,
    );
    expect(growth).toBeLessThan(linearGrowth);
  });

  it('is refused with the position of the mistake when it is invalid, unknown or missing', async () => {
    await expect(importServers('{\n  "mcpServers": {,\n}')).rejects.toThrow(/invalid JSON in line 2: value expected$/);
    await expect(importServers('[mcp_servers.a]\ncommand = \n')).rejects.toThrow(/invalid TOML/);
    for (const open of ['{"a":', '{"mcpServers": {"a": {"command": "x", "args": ['])
      await expect(importServers(open.repeat(5_000))).rejects.toThrow(McpError);
    await expect(importServers(`{"mcpServers": {"a": ${'['.repeat(200)}${']'.repeat(200)}}}`)).rejects.toThrow(
      /nested more than 100 levels/,
    );
    const expected =
      'the text: no servers in any known format were found (expected a member mcpServers, servers, context_servers, mcp_servers or mcp';
    await expect(importServers('{"other": 1}')).rejects.toThrow(`${expected})`);
    await expect(importServers('{"mcpServer": {"a": {"command": "b"}}}')).rejects.toThrow(
      `${expected}; did you mean mcpServers instead of "mcpServer"?)`,
    );
    await expect(importServers('{"mcpServers": []}')).rejects.toThrow(`${expected}; mcpServers must be an object)`);
    await expect(importServers('/no/such/file.json')).rejects.toThrow(/can't be read/);
  });
});
