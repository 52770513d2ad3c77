import type { SteerSink } from '@haft/core';
import {
  booleanKind,
  functionKind,
  abortSignalKind,
  numberKind,
  integerKind,
  arrayOf,
  stringKind,
  toolRegistryKind,
  urlKind,
  custom,
  described,
  either,
  hasMethods,
  isRecord,
  objectOf,
  objectWith,
  oneOf,
  recordOf,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import type { Transport } from '@modelcontextprotocol/client';
import type { LoginOptions } from '../../login/login-options.ts';
import type { TokenStore } from '../../login/token-store.ts';
import type { ConnectionHost } from './connection-host.ts';
import type { ServerEras } from './server-eras.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { logLevels } from './server-message.ts';

/** Maximum delay of a Node timer. Also serves as the upper limit of sizes. */
const limit = numberKind({ above: 0, max: 2 ** 31 - 1 });
/** Shows no member, because any member may be a secret. */
const values: OptionKind<Readonly<Record<string, string>>> = custom(
  'an object whose members are strings',
  (given) => isRecord(given) && Object.values(given).every((value) => typeof value === 'string'),
);

/** Selects tools by their names on the server. */
const selector = described("a function such as (name) => ['find_book', 'list_books'].includes(name)", functionKind);

const login: OptionTable<LoginOptions> = {
  open: functionKind,
  assertion: functionKind,
  // A key is never shown.
  clientCredentials: custom(
    'true or { privateKey: "…" }',
    (given) => given === true || (isRecord(given) && typeof given['privateKey'] === 'string'),
  ),
  dpop: booleanKind,
  store: objectWith<TokenStore>('a TokenStore such as createMemoryTokenStore() returns'),
  clientName: stringKind,
  clientId: stringKind,
  clientSecret: stringKind,
  issuer: described('the issuer of an authorization server, such as "https://login.example.com"', urlKind()),
  clientMetadataUrl: stringKind,
  scope: stringKind,
  port: integerKind({ min: 0, max: 65_535 }),
  timeoutMs: numberKind({ above: 0 }),
};

/** The kind of each option of a connection. */
export const connectionKinds: OptionTable<ConnectionOptions> = {
  name: stringKind,
  command: custom<string>('a command such as "npx"', (value) => typeof value === 'string' && value.trim() !== ''),
  args: arrayOf(stringKind, 'a list of strings'),
  env: values,
  inheritEnvironment: arrayOf(stringKind, 'a list of names of environment variables'),
  cwd: stringKind,
  url: stringKind,
  headers: values,
  fetch: functionKind,
  login: objectOf<LoginOptions>(login, '{ open: (url) => … }'),
  sseFallback: booleanKind,
  transport: objectWith<Transport>('a transport of the MCP SDK', 'start', 'send'),
  registry: toolRegistryKind,
  changedTools: oneOf('suspend', 'accept'),
  approvals: custom('approvals, or a function that returns them', (value) => isRecord(value) || hasMethods(value)),
  expose: selector,
  readOnly: selector,
  secrets: custom(
    'a list of strings',
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  ),
  era: oneOf('auto', 'legacy'),
  eras: objectWith<ServerEras>('a memory of eras', 'isLegacy', 'setLegacy'),
  host: objectOf<ConnectionHost>(
    { roots: functionKind, sample: functionKind, elicit: functionKind },
    '{ roots: () => [] }',
  ),
  steer: objectWith<SteerSink>('a queue such as createSteerQueue() returns', 'steer'),
  logLevel: oneOf(...logLevels),
  subscribe: either(arrayOf(stringKind, 'a list of URIs'), oneOf('all')),
  meta: functionKind,
  onMessage: functionKind,
  onEvent: functionKind,
  restart: booleanKind,
  signal: abortSignalKind,
  startTimeoutMs: limit,
  idleTimeoutMs: limit,
  requestTimeoutMs: limit,
  toolTimeoutsMs: recordOf(limit, 'an object such as { build: 600_000 }'),
  invalidResults: oneOf('note', 'fail'),
  closeGraceMs: limit,
  maxDescriptionBytes: limit,
  maxSchemaBytes: limit,
  maxMessageBytes: limit,
  maxPages: limit,
  maxTools: limit,
};
