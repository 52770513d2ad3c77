import type { AnyTool, Prompt, Resource } from '@haft/core';
import type { ConnectionState } from '@haft/mcp';
import type { ResourceTemplate } from '../resources/resource-template.ts';

/** What is served by somebody else: how a program plugs in a protocol of its own, by `delegate.createConnector`. */
export interface Connector {
  /** What the other end calls itself: the namespace, where none was asked for. */
  readonly name: string;
  tools?(): readonly AnyTool[] | Promise<readonly AnyTool[]>;
  prompts?(): readonly Prompt[] | Promise<readonly Prompt[]>;
  resources?(): readonly (Resource | ResourceTemplate)[] | Promise<readonly (Resource | ResourceTemplate)[]>;
  close?(): void | Promise<void>;
}

/** What a connector tells the toolkit. */
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

/** Connects an address. Returns undefined if the address is an MCP server's, which the toolkit connects itself. */
export type CreateConnector = (
  url: string,
  onEvent: (event: ConnectorEvent) => void,
) => Connector | undefined | Promise<Connector | undefined>;
