import { checkNames, type Names } from '../../check-names.ts';
import type { HttpHandlerOptions } from './http-handler-options.ts';
import type { HttpGuardOptions } from './http-guard.ts';
import { McpError } from '../../mcp-error.ts';
import type { ListenOptions, ServeOptions } from './serve-options.ts';
import type { ServerOptions } from '../served/served-source.ts';
import type { TaskOptions } from '../../tasks/task-options.ts';

const served: Names<ServerOptions> = {
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
const streams: Names<Omit<ServeOptions, keyof ServerOptions>> = {
  http: true,
  input: true,
  output: true,
  maxMessageBytes: true,
  transport: true,
};
const guarded: Names<HttpGuardOptions> = { hosts: true, origins: true, authenticate: true, requestsPerMinute: true };
const handled: Names<Omit<HttpHandlerOptions, keyof ServerOptions | keyof HttpGuardOptions>> = {
  maxBodyBytes: true,
  json: true,
  sessions: true,
};
const listening: Names<Omit<ListenOptions, keyof HttpHandlerOptions>> = {
  port: true,
  host: true,
  path: true,
  drainTimeoutMs: true,
};

const tasks: Names<TaskOptions> = { mode: true, afterMs: true, ttlMs: true, pollIntervalMs: true, maxTasks: true };
const ofHttp = { ...guarded, ...handled, ...listening };

/**
 * Refuses what a program got wrong about a server, while it can still be told.
 *
 * @throws McpError `INVALID_OPTION` for an option that there is not, with the one that was probably meant, and for a source or a
 * part of another kind.
 */
export function checkServeOptions(source: unknown, options: ServeOptions): void {
  const stray = Object.keys(options ?? {}).find((name) => Object.hasOwn(ofHttp, name));
  if (stray !== undefined)
    throw new McpError('INVALID_OPTION', `serve: ${stray} is a member of http, as in { http: { ${stray}: … } }`);
  checkNames('serve', options, { ...served, ...streams }, '{ name: "my-tools" }');
  if (options.http !== undefined) checkNames('serve, http', options.http, ofHttp, '{ port: 8080 }');
  checkParts('serve', source, options);
}

/** @throws McpError `INVALID_OPTION` as {@link checkServeOptions}. */
export function checkHandlerOptions(source: unknown, options: HttpHandlerOptions): void {
  checkNames('createHttpHandler', options, { ...served, ...guarded, ...handled }, '{ name: "my-tools" }');
  checkParts('createHttpHandler', source, options);
}

function checkParts(where: string, source: unknown, options: ServerOptions): void {
  const refuse = (what: string): never => {
    throw new McpError('INVALID_OPTION', `${where}: ${what}`);
  };
  if (!has(source, 'dispatch') || !has(source, 'visibleTo'))
    refuse('its first argument must be a dispatcher; createDispatcher({ registry, permission }) makes one');
  if (options.library !== undefined && !has(options.library, 'onChange'))
    refuse('library must be one that createLibrary made');
  if (options.skills !== undefined && !has(options.skills, 'reload'))
    refuse('skills must be what await openSkillDirectory("./skills") gives');
  if (options.tasks === undefined) return;
  checkNames(`${where}, tasks`, options.tasks, tasks, '{} or { afterMs: 5000 }');
  const { mode } = options.tasks;
  if (mode !== undefined && typeof mode !== 'function') refuse("tasks.mode must be a function, such as () => 'always'");
}

function has(value: unknown, method: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function';
}
