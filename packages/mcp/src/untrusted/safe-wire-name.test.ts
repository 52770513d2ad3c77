import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeToolName, toConnectionName } from './safe-wire-name.ts';

/** Names the tools of one connection as a registry would. */
function nameAll(
  connection: string,
  remoteNames: readonly string[],
  others: ReadonlySet<string> = new Set(),
): readonly string[] {
  const taken = new Set(others);
  return remoteNames.map((remoteName) => {
    const name = encodeToolName(connection, remoteName, (candidate) => taken.has(candidate));
    taken.add(name);
    return name;
  });
}

describe('the name of a remote tool', () => {
  it('joins connection and tool when both are valid', () => {
    expect(nameAll('github', ['create_issue', 'list-repos', 'ABC', '_x'])).toEqual([
      'github_create_issue',
      'github_list-repos',
      'github_ABC',
      'github__x',
    ]);
  });

  it('ends in a hash when it was changed, cut or already taken', () => {
    const [dots, slashes, long, taken] = nameAll(
      'github',
      ['get.user', 'get/user', 'x'.repeat(80), 'mine'],
      new Set(['github_mine']),
    );
    expect(dots).toMatch(/^github_get_user_[0-9a-f]{8}$/);
    expect(slashes).toMatch(/^github_get_user_[0-9a-f]{8}$/);
    expect(slashes).not.toBe(dots);
    expect(long).toHaveLength(64);
    expect(taken).toMatch(/^github_mine_[0-9a-f]{8}$/);
  });

  it('is valid, unique and stable', () => {
    const remoteName = fc.oneof(
      fc.string({ maxLength: 100 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('a.b', 'a_b', 'a b', 'a/b'),
    );
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(remoteName, { maxLength: 30 }), (connectionText, remoteNames) => {
        const connection = toConnectionName(connectionText) || 'server';
        const names = nameAll(connection, remoteNames);
        expect(new Set(names).size).toBe(remoteNames.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        for (const name of names) expect(name.slice(0, name.indexOf('_'))).toBe(connection);
        expect(nameAll(connection, remoteNames)).toEqual(names);
      }),
    );
  });

  it('differs for tools of two connections', () => {
    expect(nameAll('a', ['b_c'])).not.toEqual(nameAll(toConnectionName('a_b'), ['c']));
  });

  it('is found even if a server has guessed the hash', () => {
    const [guessed] = nameAll('raw', ['a.b']);
    const names = nameAll('raw', [guessed!.slice('raw_'.length), 'a.b']);
    expect(new Set(names).size).toBe(2);
  });
});

describe('the name of a connection', () => {
  it.each([
    ['GitHub', 'github'],
    ['my_server', 'my-server'],
    ['mcp-servers/everything', 'mcp-servers-everything'],
    ['Café ☕', 'cafe'],
    ['a'.repeat(40), 'a'.repeat(24)],
    ['__', ''],
  ])('for %j is %j', (text, name) => {
    expect(toConnectionName(text)).toBe(name);
  });
});
