// The client under test. The suite passes the server's URL as the last argument.
import { ToolRegistry, createDispatcher, allowAll } from '@haft/core';
import { createConnection, createIdJagAssertion, type ConnectionHost, type LoginOptions } from '@haft/mcp';

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const url = process.argv.at(-1) ?? '';

const host: ConnectionHost = {
  roots: () => [{ uri: 'file:///conformance', name: 'conformance' }],
  sample: async () => ({ role: 'assistant', model: 'scripted', content: { type: 'text', text: 'sampled' } }),
  // Accepts forms without changes. The protocol then fills in their defaults.
  elicit: async () => ({ action: 'accept', content: {} }),
};

/** Pre-registered credentials from the suite. */
interface Given {
  readonly client_id?: string;
  readonly client_secret?: string;
  /** The credential that a platform issues to its workload. */
  readonly valid_jwt?: string;
  /** The key of a program that logs in as itself. */
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  /** The user's sign-in at the identity provider of an organization. */
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_token_endpoint?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: unknown }[];
}
const given = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Given;

/** The issuer to which the secret belongs. Users know it, but the suite does not pass it. */
async function findIssuer(): Promise<string> {
  const { origin, pathname } = new URL(url);
  const answer = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const { authorization_servers: servers } = (await answer.json()) as {
    readonly authorization_servers: readonly string[];
  };
  return servers[0] ?? '';
}

/** Login options: the suite's user agrees, unless the scenario has no user. */
function chooseLogin(): Pick<LoginOptions, 'open' | 'assertion' | 'clientCredentials'> {
  const { valid_jwt: vouched, private_key_pem: privateKey, signing_algorithm: algorithm = 'ES256' } = given;
  if (vouched !== undefined) return { assertion: () => vouched };
  if (privateKey !== undefined) return { clientCredentials: { privateKey, algorithm } };
  if (scenario === 'auth/client-credentials-basic') return { clientCredentials: true };
  const { idp_token_endpoint: tokenEndpoint, idp_client_id: clientId, idp_id_token: idToken } = given;
  if (tokenEndpoint === undefined || clientId === undefined || idToken === undefined) return { open: visit };
  return { assertion: createIdJagAssertion({ tokenEndpoint, clientId, idToken: () => idToken }) };
}

const chosen = chooseLogin();
/** Follows the login URL like a browser, because the suite's authorization servers accept every user. */
const login: LoginOptions = {
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(given.client_id === undefined ? {} : { clientId: given.client_id }),
  ...(given.client_secret === undefined ? {} : { clientSecret: given.client_secret }),
  ...(scenario.startsWith('auth/dpop') ? { dpop: true } : {}),
  ...(chosen.open === undefined && given.client_secret !== undefined ? { issuer: await findIssuer() } : {}),
  ...chosen,
};

async function visit(address: URL): Promise<void> {
  const { headers } = await fetch(address, { redirect: 'manual' });
  const back = headers.get('location');
  if (back !== null) await fetch(new URL(back, address));
}

const registry = new ToolRegistry();
const connection = await createConnection({ url, registry, host, login, restart: false });
const dispatcher = createDispatcher({ registry, permission: allowAll });

/** The schema that a scenario asks the client to send back. */
const observed = connection.tools.find(({ name }) => name.endsWith('json_schema_2020_12_tool'))?.input.jsonSchema ?? {};

/** Creates arguments that satisfy the schemas of the suite's tools. */
function argumentsFor(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> };
  const value = (type: unknown): unknown =>
    type === 'number' || type === 'integer' ? 1 : type === 'boolean' ? true : type === 'string' ? 'text' : observed;
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, value(type)]));
}

/** A host lists the skills of a server. A host that uses a skill reads its files and stops at the first invalid one. */
async function useSkills(): Promise<void> {
  const skills = await connection.library.skills();
  if (scenario.endsWith('no-prefetch')) return;
  for (const skill of skills) {
    await skill.read();
    for (const { uri } of skill.files) await skill.read(uri);
  }
}

try {
  if (scenario.startsWith('sep-2640')) await useSkills();
  const { toolCalls } = given;
  const calls =
    toolCalls ?? connection.tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool.input.jsonSchema) }));
  for (const [index, call] of calls.entries()) {
    const named = registry.has(call.name) ? call.name : `${connection.name}_${call.name}`;
    const result = await dispatcher.dispatch({ id: String(index), name: named, arguments: call.arguments ?? {} });
    if (!result.ok) process.stderr.write(`${scenario}: ${named}: ${result.error.code}: ${result.error.message}\n`);
  }
} finally {
  await connection.close();
}
