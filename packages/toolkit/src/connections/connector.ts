import type { AnyTool, Prompt, Resource } from '@haft/core';
import type { ConnectionState } from '@haft/mcp';
import type { ResourceTemplate } from '../resources/resource-template.ts';

/** A connection over a custom protocol, which a program provides with `delegate.createConnector`. */
export interface Connector {
  /** The name that the server reports. It becomes the namespace if no namespace was requested. */
  readonly name: string;
  tools?(): readonly AnyTool[] | Promise<readonly AnyTool[]>;
  prompts?(): readonly Prompt[] | Promise<readonly Prompt[]>;
  resources?(): readonly (Resource | ResourceTemplate)[] | Promise<readonly (Resource | ResourceTemplate)[]>;
  close?(): void | Promise<void>;
}

/** Events that a connector sends to the toolkit. */
export type ConnectorEvent =
  | {
      readonly type: 'state-change';
      readonly state: ConnectionState;
      readonly server?: { readonly name: string; readonly version: string };
      readonly reason?: string;
    }
  | { readonly type: 'tool-list-changed' }
  | { readonly type: 'prompt-list-changed' }
  | { readonly type: 'resource-list-changed' }
  | { readonly type: 'resource-updated'; readonly uri: string };

/** Connects to an address. Returns undefined if the address is an MCP server, which the toolkit connects itself. */
export type CreateConnector = (
  url: string,
  onEvent: (event: ConnectorEvent) => void,
) => Connector | undefined | Promise<Connector | undefined>;
