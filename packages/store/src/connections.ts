/**
 * Connections to PostgreSQL, change notifications and file locks, for packages that build on the store.
 *
 * @packageDocumentation
 */
export {
  createConnector,
  type Connector,
  type ConnectorOptions,
  type Listening,
  type ListeningClient,
} from './postgres/postgres-connector.ts';
export { startListener, type Listener } from './postgres/postgres-listener.ts';
export { isConnectionFailure, sqlStateOf } from './postgres/postgres-failure.ts';
export { lockFile, type FileLock } from './sqlite/lock-sqlite-file.ts';
