import { findNearestNames } from '@haft/core';
import type { HttpHandlerOptions } from './http-handler.ts';
import type { HttpGuardOptions } from './http-guard.ts';
import { McpError } from './mcp-error.ts';
import type { ListenOptions, ServeOptions } from './serve.ts';
import type { ServedOptions } from './served-source.ts';

type Names<Options> = Readonly<Record<keyof Options, true>>;

const served: Names<ServedOptions> = {
  name: true,
  version: true,
  instructions: true,
  expose: true,
  model: true,
  maxParallel: true,
  library: true,
  skills: true,
  tasks: true,
  stateKey: true,
  onChange: true,
  onError: true,
};
const streams: Names<Omit<ServeOptions, keyof ServedOptions>> = {
  http: true,
  input: true,
  output: true,
  maxMessageBytes: true,
  transport: true,
};
const guarded: Names<HttpGuardOptions> = { hosts: true, origins: true, authenticate: true, requestsPerMinute: true };
const handled: Names<Omit<HttpHandlerOptions, keyof ServedOptions | keyof HttpGuardOptions>> = {
  maxBodyBytes: true,
  json: true,
  sessions: true,
};
const listening: Names<Omit<ListenOptions, keyof HttpHandlerOptions>> = {
  port: true,
  host: true,
  path: true,
  drainMs: true,
};

const ofServe = Object.keys({ ...served, ...streams });
const ofHttp = Object.keys({ ...guarded, ...handled, ...listening });

/** @throws McpError `INVALID_OPTION` for an option that there is not, with the one that was probably meant. */
export function checkServeOptions(options: unknown): void {
  const { http } = check('serve', options, ofServe) as { readonly http?: unknown };
  if (http !== undefined) check('serve, http', http, ofHttp);
}

function check(where: string, options: unknown, known: readonly string[]): object {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new McpError('INVALID_OPTION', `${where}: its options must be an object such as { name: "my-tools" }`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    if (where === 'serve' && ofHttp.includes(name))
      throw new McpError('INVALID_OPTION', `serve: ${name} is a member of http, as in { http: { ${name}: … } }`);
    const near = findNearestNames(name, known, 1)[0];
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    throw new McpError('INVALID_OPTION', `${where}: there is no option ${name.slice(0, 60)}${meant}`);
  }
  return options;
}
