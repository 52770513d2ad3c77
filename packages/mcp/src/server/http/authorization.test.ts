import { allowAll, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import { createStore } from '@haft/store';
import { requireBearerAuth } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestConnection, unfenced } from '../../fixtures/test-connection.ts';
import { startScopedAuthorization } from '../../fixtures/scoped-authorization.ts';
import { createCallerCredentials, serve, type ListenOptions } from '../../index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const call = (name: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } });

const who = defineTool({
  name: 'who',
  description: 'Tells who calls.',
  kind: 'read',
  execute: (_args, { session, sessionId }) => JSON.stringify({ sessionId, caller: session.caller }),
});
const remove = defineTool({ name: 'remove', description: 'Removes everything.', execute: () => 'removed' });

/** A token is `client user scope+scope`. */
const authenticate: ListenOptions['authenticate'] = async (request) => {
  const [clientId, sub, scopes = ''] = (request.headers.get('authorization') ?? '').replace('Bearer ', '').split(' ');
  if (!clientId) return new Response(null, { status: 401 });
  const extra = { iss: 'https://login.example.com', ...(sub ? { sub } : {}), plan: 'gold' };
  return { token: 'x', clientId, scopes: scopes.split('+').filter(Boolean), extra };
};
const authorization = {
  servers: ['https://login.example.com'],
  scopes: ['read'],
  toolScopes: ({ name }: { readonly name: string }) => (name === 'remove' ? ['admin', 'write'] : []),
};

async function start(http: ListenOptions, tools = [who, remove]): Promise<string> {
  const server = serve(createDispatcher({ registry: new ToolRegistry({ tools }), permission: allowAll }), { http });
  cleanups.push(() => server.close());
  return (await server.ready).url!;
}

const post = (url: string, body: string, token?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...accept, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body,
  });

const textOf = async (response: Response): Promise<string> => {
  const text = await response.text();
  const json = text.startsWith('{') ? text : /^data: (\{.*)$/m.exec(text)![1]!;
  const { result } = JSON.parse(json) as {
    readonly result: { readonly content: readonly { readonly text: string }[] };
  };
  return result.content[0]!.text;
};

describe('the caller of a tool', () => {
  it('reaches the context with scopes and claims, and users of one client have their own sessions', async () => {
    const url = await start({ authenticate });
    const [ada, eve, alone] = await Promise.all(
      ['app ada read+write', 'app eve', 'app'].map(
        async (token) => JSON.parse(await textOf(await post(url, call('who'), token))) as Record<string, unknown>,
      ),
    );
    const id = (user: string): string => `user:["https://login.example.com","${user}"]`;
    expect(ada).toEqual({
      sessionId: 'mcp-user:["app","https://login.example.com","ada"]',
      caller: {
        id: id('ada'),
        clientId: 'app',
        subject: 'ada',
        scopes: ['read', 'write'],
        claims: { iss: 'https://login.example.com', sub: 'ada', plan: 'gold' },
      },
    });
    expect(eve).toMatchObject({
      sessionId: 'mcp-user:["app","https://login.example.com","eve"]',
      caller: { id: id('eve') },
    });
    expect(alone).toMatchObject({ sessionId: 'mcp:app', caller: { id: 'client:app' } });
    expect(alone!['caller'] as object).not.toHaveProperty('subject');
  });

  it('gets its own credentials of a service, which no other caller can read', async () => {
    const store = await createStore({ url: 'memory:' });
    cleanups.push(() => store.close());
    const key = 'k'.repeat(32);
    const credentials = createCallerCredentials({ store, key });
    const push = defineTool({
      name: 'push',
      description: 'Pushes to the code host.',
      execute: async (_args, { session }) =>
        JSON.stringify((await credentials.getCredentials(session.caller, 'github')) ?? 'no credentials'),
    });
    const url = await start({ authenticate }, [push]);
    const caller = (user: string) => ({
      id: `user:["https://login.example.com","${user}"]`,
      clientId: 'app',
      scopes: [],
      claims: {},
    });
    await credentials.setCredentials(caller('ada'), 'github', { token: 'of-ada' });
    await credentials.setCredentials(caller('eve'), 'gitlab', { token: 'of-eve' });
    const pushed = async (token: string): Promise<string> => textOf(await post(url, call('push'), token));
    expect(await pushed('app ada')).toBe('{"token":"of-ada"}');
    expect(await pushed('other-app ada')).toBe('{"token":"of-ada"}');
    expect(await pushed('app eve')).toBe('"no credentials"');
    expect(await pushed('app')).toBe('"no credentials"');
    expect(await credentials.getCredentials(undefined, 'github')).toBeUndefined();

    // The store holds no readable text, and a row that was moved to another key can't be decrypted.
    const rows = store.collection('mcp/caller-credentials', (value) => value as { readonly sealed: string });
    const kept = (await rows.list()).documents;
    expect(JSON.stringify(kept)).not.toMatch(/of-ada|login\.example/);
    const [first, second] = kept;
    await rows.set(first!.key, { sealed: second!.value.sealed });
    await expect(
      Promise.all(
        ['ada', 'eve'].map((user) =>
          Promise.all(['github', 'gitlab'].map((service) => credentials.getCredentials(caller(user), service))),
        ),
      ),
    ).rejects.toThrow('sealed with another key');
    expect(await credentials.deleteCredentials(caller('ada'), 'github')).toBe(true);
    expect(await credentials.deleteCredentials(caller('ada'), 'github')).toBe(false);
    expect(() => createCallerCredentials({ store, key: 'short' })).toThrow('32 bytes or more');
  });
});

describe('a server with authorization', () => {
  it('serves protected-resource metadata without a login, and names it in refusals', async () => {
    const url = await start({ authenticate, authorization });
    const refused = await post(url, call('who'));
    const { origin } = new URL(url);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer scope="read", resource_metadata="${metadata}"`);
    for (const place of [metadata, `${origin}/.well-known/oauth-protected-resource/mcp?x=1`]) {
      const answer = await fetch(place);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          resource: url,
          authorization_servers: ['https://login.example.com'],
          bearer_methods_supported: ['header'],
          scopes_supported: ['read'],
        },
      ]);
    }
    expect((await fetch(metadata, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${origin}/other`)).status).toBe(404);
  });

  it.each([
    ['undefined', () => undefined],
    ['a bare challenge', () => new Response('no', { status: 401, headers: { 'www-authenticate': 'Bearer' } })],
  ])('names scopes and metadata when authenticate returns %s', async (_name, answer) => {
    const url = await start({ authenticate: () => Promise.resolve(answer() as never), authorization });
    const refused = await post(url, call('who'));
    const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`;
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer scope="read", resource_metadata="${metadata}"`,
    ]);
  });

  it("completes the refusals of the SDK's own check", async () => {
    const verifier = { verifyAccessToken: () => Promise.reject(new Error('not valid')) };
    const url = await start({
      authenticate: requireBearerAuth({ verifier }),
      authorization: { ...authorization, resource: 'https://tools.example.com/mcp' },
    });
    const refused = await post(url, call('who'));
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token".*, resource_metadata="https:\/\/tools\.example\.com\/\.well-known\/oauth-protected-resource\/mcp"$/,
    );
  });

  it.each([false, true])(
    'refuses a call without the scopes of its tool, before it runs (sessions: %s)',
    async (sessions) => {
      const url = await start({ authenticate, authorization, sessions });
      const refused = await post(url, call('remove'), 'app ada read+write');
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toMatch(
        /^Bearer error="insufficient_scope", scope="read write admin",/,
      );
      expect(await refused.json()).toMatchObject({
        id: 2,
        error: { message: 'the call of remove needs the scope admin write' },
      });
      const batch = `[${call('remove')},${call('who')}]`;
      expect((await post(url, batch, 'app ada read')).status).toBe(403);
      if (!sessions) expect(await textOf(await post(url, call('remove'), 'app ada admin+write'))).toBe('removed');
    },
  );

  it.each([false, true])('checks every form of a message in which a call may hide (sessions: %s)', async (sessions) => {
    const removed: string[] = [];
    const counted = defineTool({ name: 'remove', description: 'Removes.', execute: () => removed.push('all') });
    const url = await start({ authenticate, authorization, sessions }, [who, counted]);
    const remove = call('remove');
    const bodies: readonly (readonly [string | Uint8Array<ArrayBuffer>, number])[] = [
      [remove, 403],
      [`\uFEFF${remove}`, 403],
      [`[${call('who')},${remove}]`, 403],
      [remove.replace('"tools/call"', '"tools/list","method":"tools/call"'), 403],
      [`[[${remove}]]`, 400],
      [new Uint8Array(Buffer.from(`\uFEFF${remove}`, 'utf16le')), 400],
      [`\uFEFF\uFEFF${remove}`, 400],
      [`${remove}\n${remove}`, 400],
    ];
    for (const [body, status] of bodies)
      for (const type of ['application/json', 'text/plain', 'application/json; charset=utf-16']) {
        const headers = { ...accept, 'content-type': type, authorization: 'Bearer app ada read' };
        const response = await fetch(url, { method: 'POST', headers, body });
        // Some messages are refused earlier, because of their type.
        expect([status, 415]).toContain(response.status);
        await response.body?.cancel();
      }
    expect(removed).toEqual([]);
  });

  it('makes our client ask for more scopes and repeat the call', async () => {
    const idp = await startScopedAuthorization();
    cleanups.push(() => idp.close());
    const url = await start({
      authenticate: idp.authenticate,
      authorization: { ...authorization, servers: [idp.issuer] },
    });
    const { connection, call: run } = await createTestConnection({
      name: 'scoped',
      url,
      login: { open: (where) => idp.agree(where) },
    });
    cleanups.push(() => connection.close());
    expect(JSON.parse(unfenced(await run('scoped_who'))).caller).toMatchObject({ subject: 'ada', scopes: ['read'] });
    expect(unfenced(await run('scoped_remove'))).toBe('removed');
    expect(idp.granted).toEqual(['read', 'read admin write']);
  });

  it.each([
    ['the scope that it has', () => 'admin', 1],
    ['no scope', () => undefined, 1],
    ['another scope each time', (count: number) => `scope${count}`, 3],
  ])('does not cause repeated logins when it keeps reporting that %s is missing', async (_what, scopeOf, most) => {
    const world = await startScopedAuthorization();
    cleanups.push(() => world.close());
    const url = await start({ authenticate: world.authenticate, authorization: { servers: [world.issuer] } });
    let refusals = 0;
    const refuse: typeof fetch = async (input, init) => {
      const isCall = typeof init?.body === 'string' && init.body.includes('"tools/call"');
      if (!isCall) return fetch(input, init);
      const scope = scopeOf((refusals += 1));
      const challenge = `Bearer error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`;
      return new Response(null, { status: 403, headers: { 'www-authenticate': challenge } });
    };
    let opened = 0;
    const { connection, call: callTool } = await createTestConnection({
      name: 'far',
      url,
      fetch: refuse,
      login: {
        async open(address) {
          opened += 1;
          await world.agree(address);
        },
      },
    });
    cleanups.push(() => connection.close());
    const before = opened;
    for (let count = 0; count < 3; count += 1) expect(await callTool('far_who')).toMatchObject({ ok: false });
    expect(opened - before).toBe(most);
  });

  it('requires authenticate', () => {
    expect(() => serve(createDispatcher({ registry: [who] }), { http: { authorization } })).toThrow(
      'http.authenticate: required with authorization',
    );
  });
});
