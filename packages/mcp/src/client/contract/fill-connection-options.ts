import { checkOptions, showValue } from '@haft/core/options';
import { createLogin } from '../../login/create-login.ts';
import { defaultLoginTimeoutMs } from '../../login/login-options.ts';
import { invalidOption, McpError } from '../../mcp-error.ts';
import { inheritedSecrets } from '../../stdio/server-process-environment.ts';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { toConnectionName } from '../../untrusted/safe-wire-name.ts';
import { connectionKinds } from './connection-kinds.ts';
import { knownEras } from './server-eras.ts';
import type { ConnectionOptions, FilledConnectionOptions } from './connection-options.ts';

/** @throws McpError `INVALID_OPTION`. */
export function fillConnectionOptions(options: ConnectionOptions): FilledConnectionOptions {
  checkOptions(
    'createConnection',
    options,
    connectionKinds,
    '{ command: "npx", args: ["-y", "a-server"] }',
    invalidOption,
  );
  const { command, transport, name, url } = options;
  if ([command, transport, url].filter((way) => way !== undefined).length !== 1) {
    throw new McpError(
      'INVALID_OPTION',
      'a connection needs exactly one of command, url and transport, such as { url: "https://example.com/mcp" }',
    );
  }
  if (url !== undefined && !isHttpUrl(url))
    throw new McpError(
      'INVALID_OPTION',
      `url is not valid (expected http:// or https:// without user and password, got ${hasPassword(url) ? 'one with a user or a password' : showValue(url)})`,
    );
  for (const [header, value] of Object.entries(options.headers ?? {}))
    if (!isHeader(header, value))
      // The value may be a secret.
      throw new McpError(
        'INVALID_OPTION',
        `headers: ${showValue(cleanLine(header, 80))} is not a valid header (expected a name of letters, digits and "-", and a value on one line)`,
      );
  // Permission rules contain the name. A rule with another spelling would never match.
  if (name !== undefined && (name === '' || toConnectionName(name) !== name)) {
    const example = JSON.stringify(toConnectionName(name) || 'github');
    throw new McpError(
      'INVALID_OPTION',
      `createConnection: name is not valid (expected at most 24 lower-case letters, digits and "-", such as ${example}, got ${showValue(name)})`,
    );
  }
  const { login } = options;
  if (login && [login.open, login.assertion, login.clientCredentials].filter((one) => one !== undefined).length !== 1)
    throw new McpError(
      'INVALID_OPTION',
      'login needs exactly one of open(url) to log in a user, assertion(question) to log in with a signed token, and clientCredentials to log in as the program itself',
    );
  const isUserless = login !== undefined && login.open === undefined;
  const isSecretMissing = login?.clientCredentials === true && login.clientSecret === undefined;
  if (isSecretMissing)
    throw new McpError('INVALID_OPTION', 'login.clientCredentials needs clientSecret, or { privateKey: "…" }');
  if (login?.clientSecret !== undefined && login.clientId === undefined)
    throw new McpError('INVALID_OPTION', 'login.clientSecret needs clientId, the id that the secret belongs to');
  if (isUserless && login.clientSecret !== undefined && login.issuer === undefined)
    throw new McpError(
      'INVALID_OPTION',
      'login.clientSecret needs issuer if open is missing, because no user sees which authorization server receives the secret',
    );
  if (isUserless && login.clientId === undefined) {
    const member = login.assertion ? 'assertion' : 'clientCredentials';
    throw new McpError(
      'INVALID_OPTION',
      `login.${member} needs clientId, the ID of the program at the authorization server`,
    );
  }
  const tokens = new Set<string>();
  const inheritEnvironment = options.inheritEnvironment ?? [];
  return {
    ...options,
    authorize: login && url !== undefined ? createLogin(login, new URL(url), (token) => tokens.add(token)) : undefined,
    tokens,
    loginMs: login ? (login.timeoutMs ?? defaultLoginTimeoutMs) : 0,
    args: options.args ?? [],
    env: options.env ?? {},
    inheritEnvironment,
    secrets: [...(options.secrets ?? []), ...(command === undefined ? [] : inheritedSecrets(inheritEnvironment))],
    headers: options.headers ?? {},
    sseFallback: options.sseFallback ?? true,
    era: options.era ?? 'auto',
    eras: options.eras ?? knownEras,
    restart: (options.restart ?? true) && transport === undefined,
    changedTools: options.changedTools ?? 'suspend',
    startTimeoutMs: options.startTimeoutMs ?? 30_000,
    toolTimeoutsMs: options.toolTimeoutsMs ?? {},
    invalidResults: options.invalidResults ?? 'note',
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 600_000,
    closeGraceMs: options.closeGraceMs ?? 1_000,
    maxDescriptionBytes: options.maxDescriptionBytes ?? 8_192,
    maxSchemaBytes: options.maxSchemaBytes ?? 32_768,
    maxMessageBytes: options.maxMessageBytes ?? 64 * 1024 * 1024,
    maxPages: options.maxPages ?? 1_000,
    maxTools: options.maxTools ?? 100_000,
  };
}

function isHttpUrl(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function hasPassword(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && new URL(url).username + new URL(url).password !== '';
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
