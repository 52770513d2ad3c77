import {
  booleanKind,
  functionKind,
  numberKind,
  integerKind,
  arrayOf,
  stringKind,
  checkOption,
  checkOptions,
  custom,
  described,
  isRecord,
  nonEmptyStringKind,
  objectOf,
  objectWith,
  required,
  type OptionTable,
} from '@haft/core/options';
import type { ToolSource } from '@haft/core';
import type { Transport } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import type { Library } from '../../library/create-library.ts';
import { keyKind } from '../../key-kind.ts';
import { invalidOption } from '../../mcp-error.ts';
import type { SkillDirectory } from '../../skills/open-skill-directory.ts';
import type { TaskOptions } from '../../tasks/task-options.ts';
import type { ServerOptions } from './server-options.ts';
import type { AuthorizationOptions } from './authorization-options.ts';
import type { HttpGuardOptions } from './http-guard-options.ts';
import type { HttpHandlerOptions } from './http-handler-options.ts';
import type { ListenOptions, ServeOptions } from './serve-options.ts';

/** The longest delay of a Node timer. A longer delay would fire at once. */
const maxTimerMs = 2 ** 31 - 1;
const aboveZero = numberKind({ above: 0 });
const names = arrayOf(stringKind, 'a list of host names');

const served: OptionTable<ServerOptions> = {
  name: stringKind,
  version: stringKind,
  instructions: stringKind,
  expose: functionKind,
  model: objectOf<NonNullable<ServerOptions['model']>>(
    { name: required(stringKind), vendor: stringKind },
    '{ name: "mcp" }',
  ),
  maxParallel: integerKind({ min: 1 }),
  library: objectWith<Library>('a Library such as createLibrary() returns', 'onChange'),
  skills: objectWith<SkillDirectory>('a SkillDirectory such as await openSkillDirectory("./skills") returns', 'reload'),
  tasks: objectOf<TaskOptions>(
    {
      mode: described("a function, such as () => 'always'", functionKind),
      afterMs: numberKind(),
      ttlMs: numberKind(),
      pollIntervalMs: numberKind(),
      maxTasks: numberKind(),
    },
    '{} or { afterMs: 5000 }',
  ),
  stateKey: keyKind,
  onChange: functionKind,
  onWarning: functionKind,
};
const guarded: OptionTable<HttpGuardOptions> = {
  hosts: names,
  origins: names,
  authenticate: functionKind,
  requestsPerMinute: aboveZero,
};
const handled: OptionTable<Omit<HttpHandlerOptions, keyof ServerOptions | keyof HttpGuardOptions>> = {
  authorization: objectOf<AuthorizationOptions>(
    {
      servers: required(arrayOf(stringKind, 'a list of issuers')),
      resource: custom('a URL such as "https://tools.example.com/mcp"', (value) => URL.canParse(String(value))),
      scopes: arrayOf(stringKind, 'a list of scopes'),
      toolScopes: functionKind,
    },
    '{ servers: ["https://login.example.com"] }',
  ),
  maxBodyBytes: aboveZero,
  json: booleanKind,
  sessions: booleanKind,
};
const listening: OptionTable<ListenOptions> = {
  ...guarded,
  ...handled,
  // Node would treat a string as the path of a pipe, and listen there without an error.
  port: described('a whole number from 0 (any free port) to 65535', integerKind({ min: 0, max: 65_535 })),
  host: described('a name or an address such as "127.0.0.1"', nonEmptyStringKind),
  path: custom('a path that begins with a slash, such as "/mcp"', (path) => String(path).startsWith('/')),
  drainTimeoutMs: numberKind({ min: 0, max: maxTimerMs }),
};
const ofServe: OptionTable<ServeOptions> = {
  ...served,
  http: objectOf<ListenOptions>(listening, '{ port: 8080 }'),
  input: objectWith<Readable>('a readable stream', 'on'),
  output: objectWith<Writable>('a writable stream', 'write'),
  maxMessageBytes: aboveZero,
  transport: objectWith<Transport>('a transport of the MCP SDK', 'start', 'send'),
};
const ofHandler: OptionTable<HttpHandlerOptions> = { ...served, ...guarded, ...handled };
const source = objectWith<ToolSource>(
  'a ToolSource such as createDispatcher({ registry, permission }) returns',
  'dispatch',
  'visibleTo',
);

/**
 * Checks the options of a server.
 *
 * @throws McpError `INVALID_OPTION` for an unknown option, with the nearest known name, and for a source or a part of
 * the wrong type.
 */
export function checkServeOptions(given: unknown, options: ServeOptions): void {
  const stray = isRecord(options) ? Object.keys(options).find((name) => Object.hasOwn(listening, name)) : undefined;
  if (stray !== undefined) throw invalidOption(`serve: ${stray} is a member of http, as in { http: { ${stray}: … } }`);
  checkOption('serve', 'its first argument', given, source, invalidOption);
  checkOptions('serve', options, ofServe, '{ name: "my-tools" }', invalidOption);
  if (options.http) checkAuthorization('http.', options.http);
}

/** @throws McpError `INVALID_OPTION` as {@link checkServeOptions}. */
export function checkHandlerOptions(given: unknown, options: HttpHandlerOptions): void {
  checkOption('createHttpHandler', 'its first argument', given, source, invalidOption);
  checkOptions('createHttpHandler', options, ofHandler, '{ name: "my-tools" }', invalidOption);
  checkAuthorization('', options);
}

/** Scopes belong to a caller, so callers must be authenticated. */
function checkAuthorization(
  prefix: string,
  { authorization, authenticate }: Pick<HttpHandlerOptions, 'authorization' | 'authenticate'>,
): void {
  if (authorization && !authenticate)
    throw invalidOption(
      `${prefix}authenticate: required with authorization, such as authenticate: requireBearerAuth({ verifier })`,
    );
}
