import { existsSync } from 'node:fs';
import { McpError } from '../../mcp-error.ts';
import type { ServerProcess } from '../../stdio/server-process.ts';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { createSecretRedactor } from '../../untrusted/redact-secrets.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';
import { describeServerOutput, type ServerOutput } from './describe-server-output.ts';

/** A server process to start. */
export interface PreparedServer {
  readonly process: ServerProcess | undefined;
  /** Returns the first line on standard output that was not a message. */
  readonly garbage: () => string | undefined;
}

/** Names a server by its command line or its URL. */
export function describeServer({ command, args, url }: FilledConnectionOptions): string {
  const named =
    command !== undefined && args.length > 0 ? cleanLine([command, ...args].join(' '), 300) : (command ?? url);
  return named === undefined ? 'the server' : `the server ${JSON.stringify(named)}`;
}

/** Converts an error from connecting, and adds what the server has written. */
export function explainFailure(
  error: unknown,
  options: FilledConnectionOptions,
  { process, garbage }: PreparedServer,
): McpError {
  const trouble: ServerOutput = { process, garbage: garbage(), redactor: createSecretRedactor(options) };
  const stderr = process?.stderrTail(2_048) ?? '';
  if (error instanceof McpError) {
    const isOurs = error.code === 'INVALID_OPTION' || error.code === 'NAME_TAKEN';
    if (isOurs) return error;
    return new McpError(error.code, error.message + describeServerOutput(trouble), { stderr, cause: error.cause });
  }
  const { exit } = process ?? {};
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code === 'ENOENT' && process?.pid === undefined)
    return new McpError(
      'CONNECT_FAILED',
      `${describeServer({ ...options, args: [] })} was not found${describeMissing(options)}`,
      { cause: error },
    );
  const ended = exit ? ` (the server ended with ${exit.signal ?? `exit code ${exit.code}`})` : '';
  const message = describeThrown(error, options);
  return new McpError(
    'CONNECT_FAILED',
    `could not connect to ${describeServer(options)}: ${message}${ended}${describeServerOutput(trouble)}`,
    {
      stderr,
      cause: error,
    },
  );
}

/** The step of the SDK's connecting, which says nothing about the cause. */
const negotiationStep = /^Version negotiation (?:probe )?failed: /;

/** How the SDK begins its message about a status, which does not contain the status. */
const postFailure = 'Error POSTing to endpoint: ';

function describeStatus(status: number, body: string, url: string | undefined): string {
  const path = url === undefined ? '' : new URL(url).pathname;
  const advice =
    status !== 404 && status !== 405
      ? ''
      : path === '/mcp'
        ? '; check the URL'
        : `; check the path of the URL: it is ${JSON.stringify(path)}, and most servers use "/mcp"`;
  const said = cleanLine(body, 300);
  return `the server answered with HTTP ${status}${said === '' ? '' : ` (${said})`}${advice}`;
}

/** Describes an error, including the cause that `fetch` hides. */
function describeThrown(error: unknown, { headers, url }: FilledConnectionOptions): string {
  if (!(error instanceof Error)) return String(error);
  const { status } = ((error as { readonly data?: unknown }).data ?? {}) as { readonly status?: unknown };
  const isAuthorized = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
  if (status === 401)
    return `the server ${isAuthorized ? 'refused the authorization header' : 'requires authorization'} (HTTP 401)`;
  if (typeof status === 'number' && error.message.startsWith(postFailure))
    return describeStatus(status, error.message.slice(postFailure.length), url);
  const more = error.message.endsWith('fetch failed') ? rootCause(error) : '';
  return cleanLine(error.message.replace(negotiationStep, ''), 500) + (more === '' ? '' : `: ${cleanLine(more, 500)}`);
}

/** Returns the message of the innermost cause, such as `connect ECONNREFUSED 127.0.0.1:80`. */
function rootCause({ cause }: Error, depth = 0): string {
  if (!(cause instanceof Error) || depth === 5) return '';
  const { code } = cause as NodeJS.ErrnoException;
  const own = cause.message === 'fetch failed' ? '' : cause.message || code || cause.name;
  return rootCause(cause, depth + 1) || own;
}

/** Suggests why a program was not found. */
function describeMissing({ command = '', args, cwd }: FilledConnectionOptions): string {
  if (cwd !== undefined && !existsSync(cwd)) return `: the directory ${JSON.stringify(cwd)} does not exist`;
  const [program = '', ...more] = command.trim().split(/\s+/);
  if (more.length === 0)
    return /[\\/]/.test(program)
      ? ': no program has this path'
      : ': it is a command, and no directory of PATH has such a program';
  const example = JSON.stringify([...more, ...args]);
  return `: no shell splits the command; put the arguments into args: { command: ${JSON.stringify(program)}, args: ${example} }`;
}
