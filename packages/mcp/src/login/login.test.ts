import { generateKeyPairSync, verify } from 'node:crypto';
import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createCaller } from '../fixtures/caller.ts';
import { sayTool } from '../fixtures/in-process-servers.ts';
import {
  createConnection,
  createHttpHandler,
  createIdJagAssertion,
  createMemoryTokenStore,
  type Connection,
  type LoginOptions,
  type TokenStore,
} from '../index.ts';
import { createLogin } from './create-login.ts';
import { createLoopbackCallback } from './loopback-callback.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const server = 'http://127.0.0.1:9999/mcp';
const defaultIssuer = 'http://127.0.0.1:9998';
const issuer = defaultIssuer;

interface TestWorld {
  readonly fetch: typeof fetch;
  readonly seen: string[];
  /** Parameters of the token requests. */
  readonly grants: URLSearchParams[];
  /** DPoP proofs of token and other requests, each with its URL. */
  readonly proofs: {
    readonly path: string;
    readonly scheme: string;
    readonly claims: Readonly<Record<string, unknown>>;
  }[];
  /** Client secrets, each with the server that received it. */
  readonly secrets: string[];
  /** Error that the authorization server returns instead of a token. */
  refusal?: string;
  /** Acts as a browser whose user approves the login. */
  readonly agree: (url: URL, change?: (back: URL) => void) => Promise<Response>;
  scopeNeeded: string;
}

/** A server and its authorization server in this process. Only the callback uses the network. */
function createTestWorld(metadata: object = {}, issuer = defaultIssuer): TestWorld {
  const registry = new ToolRegistry({ tools: [sayTool('hello')] });
  const handler = createHttpHandler(createDispatcher({ registry, permission: allowAll }), { name: 'good' });
  cleanups.push(() => handler.close());
  const seen: string[] = [];
  const grants: URLSearchParams[] = [];
  const proofs: TestWorld['proofs'] = [];
  let challenge = '';
  const world: TestWorld = {
    seen,
    secrets: [],
    grants,
    proofs,
    scopeNeeded: 'read',
    async fetch(input, init) {
      const request = new Request(input, init);
      const url = new URL(request.url);
      seen.push(`${request.method} ${url.host.endsWith('9998') ? 'issuer ' : ''}${url.pathname}`);
      const secret = /^Basic (.*)$/.exec(request.headers.get('authorization') ?? '')?.[1];
      if (secret !== undefined) world.secrets.push(`${url.origin} ${Buffer.from(secret, 'base64').toString()}`);
      const proof = request.headers.get('dpop')?.split('.')[1];
      if (proof !== undefined)
        proofs.push({
          path: url.pathname,
          scheme: request.headers.get('authorization')?.split(' ')[0] ?? '',
          claims: JSON.parse(Buffer.from(proof, 'base64url').toString()) as Readonly<Record<string, unknown>>,
        });
      switch (url.pathname) {
        case '/.well-known/oauth-protected-resource/mcp':
          return Response.json({ resource: server, authorization_servers: [issuer], scopes_supported: ['read'] });
        case '/.well-known/oauth-authorization-server':
          return Response.json({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            registration_endpoint: `${issuer}/register`,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            authorization_response_iss_parameter_supported: true,
            ...metadata,
          });
        case '/register': {
          const asked = (await request.json()) as object;
          return Response.json({ ...asked, client_id: 'registered' }, { status: 201 });
        }
        case '/token': {
          const given = new URLSearchParams(await request.text());
          grants.push(given);
          if (world.refusal !== undefined) return Response.json({ error: world.refusal }, { status: 400 });
          return Response.json({
            access_token: `token-${grants.length}`,
            token_type: proof === undefined ? 'Bearer' : 'DPoP',
            scope: world.scopeNeeded,
          });
        }
        case '/mcp': {
          const { authorization } = Object.fromEntries(request.headers);
          const isStale = world.scopeNeeded !== 'read' && authorization === 'Bearer token-1';
          if (/^(?:Bearer|DPoP) token-/.test(authorization ?? '') && !isStale) {
            const headers = new Headers(request.headers);
            headers.set('host', '127.0.0.1:9999');
            return handler.fetch(new Request(request, { headers }));
          }
          const why = isStale ? `error="insufficient_scope", scope="${world.scopeNeeded}", ` : '';
          return new Response('log in', {
            status: isStale ? 403 : 401,
            headers: {
              'www-authenticate': `Bearer ${why}resource_metadata="http://127.0.0.1:9999/.well-known/oauth-protected-resource/mcp"`,
            },
          });
        }
        default:
          return new Response('nothing', { status: 404 });
      }
    },
    async agree(url, change) {
      challenge = url.searchParams.get('code_challenge') ?? '';
      expect(url.searchParams.get('code_challenge_method')).toBe('S256');
      expect(url.searchParams.get('resource')).toBe(server);
      expect(challenge).not.toBe('');
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'the-code');
      back.searchParams.set('iss', issuer);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      change?.(back);
      return fetch(back);
    },
  };
  return world;
}

async function connect(
  world: TestWorld,
  login: LoginOptions,
): Promise<{ connection: Connection; registry: ToolRegistry }> {
  const registry = new ToolRegistry();
  const connection = await createConnection({ url: server, fetch: world.fetch, login, registry, restart: false });
  cleanups.push(() => connection.close());
  return { connection, registry };
}

describe('a login', () => {
  it('happens once, is saved in the store, and is used for its own server only', async () => {
    const world = createTestWorld();
    const store = createMemoryTokenStore();
    const opened: URL[] = [];
    const login: LoginOptions = {
      store,
      async open(url) {
        opened.push(url);
        await world.agree(url);
      },
    };
    const { registry } = await connect(world, login);
    expect(await createCaller(registry).text('good_hello')).toContain('hello said');
    expect(opened).toHaveLength(1);
    expect(opened[0]!.origin).toBe(issuer);
    expect(Object.fromEntries(world.grants[0]!)).toMatchObject({
      grant_type: 'authorization_code',
      code: 'the-code',
      resource: server,
      code_verifier: expect.stringMatching(/^[\w.~-]{43,}$/),
    });
    // Another run with the same store needs no login.
    await connect(world, { store, open: () => expect.fail('the user must not be asked') });
    expect(world.grants).toHaveLength(1);
  });

  it('sends a client secret only to its issuer, or to the first authorization server that the user logged in with', async () => {
    const storedValues = new Map<string, string>();
    const store: TokenStore = {
      get: (key) => storedValues.get(key),
      set: (key, value) => void storedValues.set(key, value),
      delete: (key) => void storedValues.delete(key),
    };
    const basic = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    const elsewhere = 'http://127.0.0.1:9997';
    const loginTo = (world: TestWorld, more: Partial<LoginOptions> = {}): LoginOptions => ({
      store,
      clientId: 'me',
      clientSecret: 'hush-hush',
      open: async (url) => void (await world.agree(url, (back) => back.searchParams.set('iss', url.origin))),
      ...more,
    });
    const [good, evil] = [createTestWorld(basic), createTestWorld(basic, elsewhere)];
    await expect(connect(evil, loginTo(evil, { issuer: defaultIssuer }))).rejects.toThrow(
      /refused a login at http:\/\/127\.0\.0\.1:9997\/?: login\.issuer is http:\/\/127\.0\.0\.1:9998/,
    );
    await connect(good, loginTo(good));
    expect(good.secrets).toEqual([`${defaultIssuer} me:hush-hush`]);
    storedValues.delete(JSON.stringify(['tokens', server, defaultIssuer]));
    await expect(connect(evil, loginTo(evil))).rejects.toThrow(/set login\.issuer/);
    expect([evil.secrets, evil.grants]).toEqual([[], []]);
    expect([...storedValues.values()].join()).not.toContain('hush');
    await connect(evil, loginTo(evil, { issuer: elsewhere }));
    expect(evil.secrets).toEqual([`${elsewhere} me:hush-hush`]);
  });

  it('asks for more scopes when the server reports insufficient scope', async () => {
    const world = createTestWorld();
    const asked: (string | null)[] = [];
    const { registry } = await connect(world, {
      async open(url) {
        asked.push(url.searchParams.get('scope'));
        await world.agree(url);
      },
    });
    world.scopeNeeded = 'write';
    expect(await createCaller(registry).text('good_hello')).toContain('hello said');
    expect(asked).toEqual(['read', 'read write']);
  });

  it('binds tokens to a key and signs every request with a new proof', async () => {
    const world = createTestWorld({ dpop_signing_alg_values_supported: ['ES256'] });
    const { registry } = await connect(world, { dpop: true, open: async (url) => void (await world.agree(url)) });
    expect(await createCaller(registry).text('good_hello')).toContain('hello said');
    const [first, ...others] = world.proofs;
    expect(first).toMatchObject({ path: '/token', scheme: '', claims: { htm: 'POST', htu: `${issuer}/token` } });
    expect(others.length).toBeGreaterThan(1);
    for (const { path, scheme, claims } of others) {
      expect({ path, scheme }).toEqual({ path: '/mcp', scheme: 'DPoP' });
      expect(claims).toMatchObject({ htu: server, ath: expect.any(String) });
    }
    expect(new Set(world.proofs.map(({ claims }) => claims['jti'])).size).toBe(world.proofs.length);
  });

  it('needs no user when the platform vouches for the program', async () => {
    const world = createTestWorld({ grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] });
    const asked: unknown[] = [];
    const { registry } = await connect(world, {
      clientId: 'workload',
      assertion: ({ issuer: at, resource, scope }) => {
        asked.push({ at, resource, scope });
        return 'a.signed.token';
      },
    });
    expect(await createCaller(registry).text('good_hello')).toContain('hello said');
    expect(asked).toEqual([{ at: issuer, resource: server, scope: 'read' }]);
    expect(Object.fromEntries(world.grants[0]!)).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'a.signed.token',
      client_id: 'workload',
      resource: server,
    });
  });

  it('needs no user when the program logs in as itself, with a secret or a signature', async () => {
    const metadata = { grant_types_supported: ['client_credentials'] };
    const basic = createTestWorld({ ...metadata, token_endpoint_auth_methods_supported: ['client_secret_basic'] });
    const first = await connect(basic, {
      clientId: 'robot',
      clientSecret: 'hush-hush',
      issuer,
      clientCredentials: true,
    });
    expect(await createCaller(first.registry).text('good_hello')).toContain('hello said');
    expect(basic.secrets).toEqual([`${issuer} robot:hush-hush`]);
    expect(Object.fromEntries(basic.grants[0]!)).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
      resource: server,
    });

    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signing = createTestWorld({ ...metadata, token_endpoint_auth_methods_supported: ['private_key_jwt'] });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const second = await connect(signing, { clientId: 'robot', clientCredentials: { privateKey: String(key) } });
    expect(await createCaller(second.registry).text('good_hello')).toContain('hello said');
    const { client_assertion: assertion = '', ...grant } = Object.fromEntries(signing.grants[0]!);
    expect(grant).toMatchObject({ grant_type: 'client_credentials', resource: server });
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'robot',
      sub: 'robot',
      aud: expect.stringMatching(new RegExp(`^${issuer}/?$`)),
    });
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    expect(isSigned).toBe(true);
  });

  it('needs no further user when an organization manages it (ID-JAG)', async () => {
    const world = createTestWorld({ grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] });
    const exchanged: Readonly<Record<string, string>>[] = [];
    const assertion = createIdJagAssertion({
      tokenEndpoint: 'http://127.0.0.1:9996/token',
      clientId: 'agent',
      idToken: () => 'the.id.token',
      fetch: (_url, init) => {
        exchanged.push(Object.fromEntries(new URLSearchParams(init?.body as string)));
        const answer = {
          issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
          access_token: 'the.id.jag',
          token_type: 'N_A',
        };
        return Promise.resolve(Response.json(answer));
      },
    });
    const { registry } = await connect(world, { clientId: 'agent-at-server', assertion });
    expect(await createCaller(registry).text('good_hello')).toContain('hello said');
    expect(exchanged).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        audience: issuer,
        resource: server,
        subject_token: 'the.id.token',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        client_id: 'agent',
        scope: 'read',
      },
    ]);
    expect(Object.fromEntries(world.grants[0]!)).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'the.id.jag',
    });
    expect(() => createIdJagAssertion({} as never)).toThrow('tokenEndpoint');
  });

  it.each(['invalid_grant', 'unauthorized_client', 'invalid_scope'])(
    'of a workload is not repeated after a refusal (%s)',
    async (refusal) => {
      const world = createTestWorld();
      world.refusal = refusal;
      await expect(connect(world, { clientId: 'workload', assertion: () => 'a.b.c' })).rejects.toMatchObject({
        code: 'CONNECT_FAILED',
        message: expect.stringContaining(refusal),
      });
      expect(world.grants).toHaveLength(1);
    },
  );

  it('of a workload is repeated when the authorization server was unreachable', async () => {
    const world = createTestWorld();
    let isDown = true;
    const login = createLogin({ clientId: 'workload', assertion: () => 'a.b.c' }, new URL(server));
    const send = login(async (input, init) => {
      if (isDown && init?.method === 'POST' && String(input).startsWith(issuer)) throw new TypeError('fetch failed');
      return world.fetch(input, init);
    });
    await expect(send(server, { method: 'POST', body: '{}' })).rejects.toThrow('fetch failed');
    isDown = false;
    expect((await send(server, { method: 'POST', body: '{}' })).status).not.toBe(401);
    expect(world.grants).toHaveLength(1);
  });

  it('sends bound tokens only to their own server', async () => {
    const store = createMemoryTokenStore();
    await store.set(JSON.stringify(['issuer', server]), issuer);
    const tokens = { access_token: 'secret', token_type: 'DPoP' };
    await store.set(JSON.stringify(['tokens', server, issuer]), JSON.stringify(tokens));
    const sent: (string | null)[] = [];
    const login = createLogin({ dpop: true, store, open: () => undefined }, new URL(server));
    const send = login(async (_, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return new Response('ok');
    });
    for (const url of [server, 'https://elsewhere.example/'])
      await send(url, { headers: { authorization: 'Basic own' } });
    expect(sent).toEqual(['DPoP secret', 'Basic own']);
  });

  it.each<[LoginOptions, RegExp]>([
    [{}, /needs exactly one of open\(url\).*assertion.* and clientCredentials/],
    [{ open: () => undefined, assertion: () => 'a' }, /needs exactly one of/],
    [{ assertion: () => 'a' }, /needs clientId/],
    [{ assertion: () => 'a', clientCredentials: true }, /needs exactly one of/],
    [{ clientCredentials: true, clientId: 'me' }, /clientCredentials needs clientSecret/],
    [{ clientCredentials: true, clientId: 'me', clientSecret: 'hush' }, /clientSecret needs issuer/],
    [{ clientCredentials: { privateKey: 'pem' } }, /clientCredentials needs clientId/],
    [{ assertion: () => 'a', clientId: 'me', clientSecret: 'hush' }, /clientSecret needs issuer/],
    [{ open: () => undefined, clientSecret: 'hush' }, /clientSecret needs clientId/],
    [{ open: () => undefined, issuer: 'login' }, /login\.issuer is not valid \(expected the issuer/],
    [
      { open: () => undefined, clientID: 'me' } as LoginOptions,
      /login\.clientID is not an option \(did you mean clientId\?\)/,
    ],
  ])('requires exactly one of a user, a workload and a program (%#)', async (login, message) => {
    await expect(createConnection({ url: server, login })).rejects.toThrow(message);
  });

  it.each([
    ['another issuer responds', (back: URL) => back.searchParams.set('iss', 'https://evil.example')],
    ['the response lacks the announced issuer', (back: URL) => back.searchParams.delete('iss')],
    [
      'the user refuses',
      (back: URL) => {
        back.searchParams.delete('code');
        back.searchParams.set('error', 'access_denied');
      },
    ],
  ])('fails when %s', async (_what, change) => {
    const world = createTestWorld();
    const login: LoginOptions = { open: async (url) => void (await world.agree(url, change)) };
    await expect(connect(world, login)).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
    expect(world.grants).toEqual([]);
  });

  it.each([
    ['javascript:alert(1)//', /javascript|URL|scheme/i],
    ['file:///etc/passwd', /file|URL|scheme/i],
  ])('never opens a URL such as %s', async (endpoint, message) => {
    const world = createTestWorld({ authorization_endpoint: endpoint });
    await expect(connect(world, { open: () => expect.fail('it must not be opened') })).rejects.toThrow(message);
  });

  it('ignores a callback with an unknown state', async () => {
    const callback = await createLoopbackCallback(0);
    cleanups.push(() => callback.close());
    const stop = new AbortController();
    const answer = callback.wait('right', stop.signal);
    expect((await fetch(`${callback.url}?state=wrong&code=x`)).status).toBe(400);
    expect((await fetch(callback.url.replace('/callback', '/'))).status).toBe(404);
    expect((await fetch(`${callback.url}?state=right&code=y`)).status).toBe(200);
    expect((await answer).get('code')).toBe('y');
    expect((await fetch(`${callback.url}?state=right&code=z`)).status).toBe(400);
    const another = callback.wait('more', stop.signal);
    stop.abort(new Error('nobody came'));
    await expect(another).rejects.toThrow('nobody came');
  });
});
