import { type ToolRegistry } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { encodeName } from '@haft/core/registry';
import type { ConnectionState } from '@haft/mcp';
import type { ToolkitDiagnostic } from '../events.ts';
import { connectionProvider } from '../namespaces.ts';
import type { Connector, ConnectorEvent } from './connector.ts';
import type { ConnectionItems } from './server-items.ts';

/** An open connector of the program. */
export interface OpenConnector extends ConnectionItems {
  readonly state: ConnectionState;
  readonly server: { readonly name: string; readonly version: string } | undefined;
  close(): Promise<void>;
}

/** Options for opening a connector. */
export interface OpenConnectorOptions {
  readonly registry: ToolRegistry;
  readonly listen: (event: ConnectorEvent) => void;
  readonly report: (diagnostic: ToolkitDiagnostic) => void;
}

/** Opens a connector of the program. Its tools are registered as `namespace_tool`. */
export async function openConnector(
  connector: Connector,
  namespace: string,
  { registry, listen, report }: OpenConnectorOptions,
  onReceive: (listener: (event: ConnectorEvent) => void) => void,
): Promise<OpenConnector> {
  const provider = `${connectionProvider}/${namespace}`;
  let state: ConnectionState = 'ready';
  let server: OpenConnector['server'];
  const takeTools = async (): Promise<void> => {
    const tools = (await connector.tools?.()) ?? [];
    if (state === 'closed') return;
    const names = new Set<string>();
    registry.batch((draft) => {
      draft.clear(provider);
      for (const tool of tools) {
        const isTaken = (name: string): boolean =>
          names.has(name) || ![provider, undefined].includes(registry.providerFor(name));
        const name = encodeName(`${namespace}_${tool.name}`, isTaken);
        names.add(name);
        draft.registerWithProvider({ ...tool, name }, provider);
      }
    });
  };
  onReceive((event) => {
    if (event.type === 'state-change') {
      if (state !== 'closed') state = event.state;
      server = event.server ?? server;
    }
    if (event.type !== 'tool-list-changed') return listen(event);
    takeTools().catch((cause: unknown) =>
      report({
        kind: 'connection',
        message: `the tools of ${namespace} could not be reloaded: ${describeCause(cause)}`,
      }),
    );
  });
  await takeTools();
  return {
    get state() {
      return state;
    },
    get server() {
      return server;
    },
    prompts: () => connector.prompts?.() ?? [],
    resources: () => connector.resources?.() ?? [],
    async close() {
      state = 'closed';
      registry.clear(provider);
      await connector.close?.();
    },
  };
}
