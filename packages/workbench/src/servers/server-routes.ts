import type { ServerView } from '../contract/page-data.ts';
import { refuse, respondJson } from '../http/respond.ts';
import { get, post, type Route } from '../http/route.ts';
import type { ServerLog } from './create-server-log.ts';
import type { ConnectionState } from './list-servers.ts';

/** The members of a toolkit that the routes use. */
export interface ServerActions {
  connections(): readonly ConnectionState[];
  approveCommand(namespace: string): Promise<unknown>;
}

/** Creates the routes of the page Servers. */
export function createServerRoutes(
  toolkit: () => ServerActions | undefined,
  list: () => Promise<readonly ServerView[]>,
  log: ServerLog | undefined,
  onChanged: () => void,
): readonly Route[] {
  return [
    get('servers', async () => respondJson({ isConnected: toolkit() !== undefined, servers: await list() })),
    get('servers/*', (name) => respondJson(log?.list(name) ?? [])),
    post('servers/*', async (namespace, { hash }) => {
      const actions = toolkit();
      if (actions === undefined) return refuse(404, 'there is no toolkit, so there are no servers');
      // The command that the user has seen must be the one that is approved.
      const shown = actions.connections().find((one) => one.namespace === namespace)?.approval;
      if (shown === undefined || shown.hash !== hash)
        return refuse(409, 'the command has changed, or no longer waits for approval');
      try {
        await actions.approveCommand(namespace);
        return respondJson({});
      } catch (cause) {
        return refuse(409, cause instanceof Error ? cause.message : String(cause));
      }
    }),
    post('server-changes/*', (namespace, { tool, diff }) => {
      const connection = toolkit()
        ?.connections()
        .find((one) => one.namespace === namespace)?.connection;
      // The diff that the user has seen must be the one that is approved.
      const change = connection?.changes.find((one) => one.tool === tool && one.diff === diff);
      if (connection === undefined || change === undefined || !connection.approve(change))
        return refuse(409, 'the server has changed the tool again, or the change is no longer waiting');
      onChanged();
      return respondJson({});
    }),
  ];
}
