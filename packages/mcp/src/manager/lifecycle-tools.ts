import { defineTool, failure, success, toolError, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import type { Issue } from '@haft/schema';
import { z } from 'zod';
import { cleanLine } from '../untrusted/clean-text.ts';
import { McpError } from '../mcp-error.ts';
import { toConnectionName } from '../untrusted/safe-wire-name.ts';
import type { ConnectionManager } from './manager-contract.ts';
import { addressOf } from './describe-server-command.ts';
import { referencesOf } from './expand-references.ts';
import type { ManagedConnection } from './manager-options.ts';
import type { ServerEntry } from './server-entry.ts';

/** The manager methods that the tools use. */
export type ConnectionService = Pick<ConnectionManager, 'connections' | 'connect' | 'reconnect' | 'disconnect'>;

/** Creates `mcp_connect`, `mcp_disconnect` and `mcp_list`. */
export function createLifecycleTools(service: ConnectionService, references: readonly string[]): readonly AnyTool[] {
  return [connectTool(service, references), disconnectTool(service), listTool(service)];
}

const name = z.string().min(1).max(100).describe('Name of the connection, such as "github".');

function connectTool(service: ConnectionService, references: readonly string[]): AnyTool {
  return defineTool({
    name: 'mcp_connect',
    description:
      'Connects an MCP server by command or url and saves the connection; its tools become available. With only a name, reconnects a known server.',
    input: z.strictObject({
      name,
      command: z.string().optional().describe('Executable to start, such as "npx"; not run through a shell.'),
      args: z.array(z.string()).optional().describe('Its arguments, such as ["-y", "some-server"].'),
      url: z.string().optional().describe('URL of the server instead of a command, such as "https://example.com/mcp".'),
      env: z
        .record(z.string(), z.string())
        .optional()
        .describe('Environment variables for the command, as references: {"TOKEN": "${TOKEN}"}.'),
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe('Headers for the url, as references: {"authorization": "Bearer ${TOKEN}"}.'),
    }),
    traits: { readOnly: false, destructive: true, openWorld: true, sideEffects: 'external' },
    parallelizable: false,
    initialTitle: ({ name: given, ...entry }) =>
      isReconnect(entry)
        ? `Connect the MCP server ${given} again`
        : `Connect the MCP server ${given}: ${addressOf(toEntry(entry))}${describeVariables(entry.env)}`,
    check: ({ name: _name, ...entry }) => [
      ...disallowedReferences(toEntry(entry), references),
      ...literalVariables(entry.env ?? {}),
    ],
    execute: async ({ name: given, ...rest }, context) => {
      const entry = toEntry(rest);
      try {
        const info = isReconnect(rest)
          ? await service.reconnect(toConnectionName(given), context.signal)
          : await service.connect(given, entry, context.signal);
        return info ? describeConnected(info, context) : unknown(service, given, context);
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        return failure(context.callId, toolError('INVALID_ARGS', error.message));
      }
    },
  }) as AnyTool;
}

function disallowedReferences(entry: ServerEntry, references: readonly string[]): readonly Issue[] {
  const disallowed = referencesOf(entry).filter((reference) => !references.includes(reference));
  if (disallowed.length === 0) return [];
  return [
    {
      code: 'custom',
      path: '',
      expected: references.length === 0 ? 'no references' : `only references to ${references.join(', ')}`,
      received: disallowed.join(', ').slice(0, 60),
      message: `the variables ${disallowed.join(', ')} are not allowed here; the user has to add this server to the configuration`,
    },
  ];
}

/**
 * Requires references. A literal in a variable such as NODE_OPTIONS would be a command that no permission rule checks.
 */
function literalVariables(variables: Readonly<Record<string, string>>): readonly Issue[] {
  return Object.entries(variables).flatMap(([variable, value]) =>
    /^\$\{(?:env:)?[A-Za-z_]\w*\}$/.test(value)
      ? []
      : [
          {
            code: 'custom',
            path: `env.${variable}`,
            expected: 'a single reference such as "${TOKEN}"',
            received: value.slice(0, 60),
            message: `the value of ${variable} must be a single reference such as "\${TOKEN}"; other values have to be in the user's configuration`,
          },
        ],
  );
}

function describeVariables(variables: Readonly<Record<string, string>> = {}): string {
  const names = Object.keys(variables).map((variable) => cleanLine(variable, 60));
  return names.length === 0 ? '' : ` with ${names.join(', ')}`;
}

function disconnectTool(service: ConnectionService): AnyTool {
  return defineTool({
    name: 'mcp_disconnect',
    description: 'Disconnects an MCP server, removes its tools and deletes the saved connection.',
    input: z.strictObject({ name }),
    traits: { readOnly: false, destructive: false, openWorld: false, sideEffects: 'write' },
    parallelizable: false,
    initialTitle: ({ name: given }) => `Disconnect the MCP server ${given}`,
    execute: async ({ name: given }, context) => {
      if (!(await service.disconnect(toConnectionName(given)))) return unknown(service, given, context);
      return success(context.callId, `${toConnectionName(given)} is disconnected; its tools were removed.`);
    },
  }) as AnyTool;
}

function listTool(service: ConnectionService): AnyTool {
  return defineTool({
    name: 'mcp_list',
    description: 'Lists the known MCP servers: state, tools, and why a server is not connected.',
    input: z.strictObject({}),
    kind: 'read',
    traits: { readOnly: true, openWorld: false },
    execute: (_args, context) => {
      const connections = service.connections();
      const text = connections.length === 0 ? 'No MCP server is known.' : connections.map(describeLine).join('\n');
      const structured = connections.map(({ changes, approval: _approval, ...rest }) => ({
        ...rest,
        changes: changes.map(({ tool, fields }) => ({ tool, fields })),
      }));
      return success(context.callId, text, {
        structured: { connections: structured },
        summary: `${connections.length} MCP servers`,
      });
    },
  }) as AnyTool;
}

function describeConnected(info: ManagedConnection, context: ToolContext): ToolResult {
  const structured = { name: info.name, state: info.state, tools: info.tools };
  if (info.state === 'ready') return success(context.callId, describeLine(info), { structured });
  const error =
    info.state === 'unapproved'
      ? toolError('PERMISSION_DENIED', describeLine(info), {
          hint: 'Ask the user to approve the command, then call mcp_connect with only the name.',
        })
      : toolError('CONNECTION_LOST', describeLine(info), {
          hint: 'Fix the reported problem and connect again, or call mcp_disconnect.',
        });
  return failure(context.callId, error, { structured });
}

function unknown(service: ConnectionService, given: string, context: ToolContext): ToolResult {
  const known = service.connections().map((one) => one.name);
  const hint = known.length === 0 ? 'No MCP server is known.' : `Use one of: ${known.join(', ')}.`;
  return failure(
    context.callId,
    toolError('NOT_FOUND', `no connection is named ${JSON.stringify(cleanLine(given, 80))}`, { hint }),
  );
}

const shownTools = 30;

function describeLine({ name: given, address, state, reason, tools, changes }: ManagedConnection): string {
  const called = given === '' ? cleanLine(address, 100) : given;
  const suspended =
    changes.length === 0 ? '' : `; changed, needs the user's approval: ${changes.map((one) => one.tool).join(', ')}`;
  if (state !== 'ready') return `${called}: ${state}: ${cleanLine(reason, 600)}`;
  const more = tools.length > shownTools ? `, and ${tools.length - shownTools} more` : '';
  return `${called}: ${tools.length === 0 ? 'no tools' : tools.slice(0, shownTools).join(', ')}${more}${suspended}`;
}

/** The arguments of `mcp_connect` that define the server. */
interface ServerEntryArguments {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function isReconnect({ command, url }: ServerEntryArguments): boolean {
  return command === undefined && url === undefined;
}

function toEntry({ command, args, url, env, headers }: ServerEntryArguments): ServerEntry {
  return {
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    ...(url === undefined ? {} : { url }),
    ...(env === undefined ? {} : { env }),
    ...(headers === undefined ? {} : { headers }),
  };
}
