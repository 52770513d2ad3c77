export { createConnection } from './client/create-connection.ts';
export type { ConnectionOptions } from './client/contract/connection-options.ts';
export type { ConnectionHost, HostRequestContext, HostRoot } from './client/contract/connection-host.ts';
export type { Connection } from './client/contract/connection.ts';
export type { ConnectionEvent, ConnectionState, ConnectionStateChange } from './client/contract/connection-report.ts';
export type { ConnectionDiagnostic } from './connection-diagnostic.ts';
export type { ToolChange, RemoteToolDefinition } from './client/contract/tool-change.ts';
export type { AssertionRequest, LoginOptions } from './login/login-options.ts';
export { createIdJagAssertion, type IdJagOptions } from './login/id-jag.ts';
export { createMemoryTokenStore, createTokenStore, type TokenStore } from './login/token-store.ts';
export { McpError, mcpErrorCodes, type McpErrorCode } from './mcp-error.ts';
export { serve, type RunningServer } from './server/serve.ts';
export { type ListenOptions, type ServeOptions } from './server/options/serve-options.ts';
export {
  createCallerCredentials,
  type CallerCredentials,
  type CallerCredentialsOptions,
  type CallerCredentialsStore,
} from './callers/caller-credentials.ts';
export type { AuthorizationOptions } from './server/options/authorization-options.ts';
export { createHttpHandler, type HttpHandler } from './server/http/http-handler.ts';
export { type HttpHandlerOptions } from './server/options/http-handler-options.ts';
export type { HttpGuardOptions } from './server/options/http-guard-options.ts';
export type { ServableSource, ServerOptions } from './server/options/server-options.ts';
export { createConnectionManager } from './manager/connection-manager.ts';
export { type AddServerOptions } from './manager/manager-contract.ts';
export { type ConnectionManager } from './manager/manager-contract.ts';
export type { ManagedServer } from './manager/managed-server.ts';
export type { ServerSource } from './manager/server-source.ts';
export type {
  ConnectionManagerOptions,
  ManagedConnection,
  ManagedState,
  ManagerEvent,
} from './manager/manager-options.ts';
export type { CommandApprovalRequest } from './manager/describe-server-command.ts';
export type { ReferenceValues } from './manager/expand-references.ts';
export { readServers, type ServerConfiguration, type ServerEntry } from './manager/server-entry.ts';
export {
  openSkillDirectory,
  type SkillDirectory,
  type SkillDirectoryOptions,
  type SkillEntry,
} from './skills/open-skill-directory.ts';
export type { RemoteSkill } from './skills/remote-skill.ts';
export type { TaskMode, TaskOptions } from './tasks/task-options.ts';
export type { RemoteLibrary, RemoteResourceTemplate } from './client/contract/remote-library.ts';
export type { LogLevel, ServerMessage } from './client/contract/server-message.ts';
export type { ServerEras } from './client/contract/server-eras.ts';
export type { ApprovedTool, ToolApprovals } from './client/contract/tool-approvals.ts';
export {
  createLibrary,
  type CompletionRequest,
  type Library,
  type LibraryChange,
  type LibraryOptions,
  type ServedResourceTemplate,
} from './library/create-library.ts';
export type { ConfigurationInput } from './configuration/imported-entry.ts';
export { importServers, type ImportedServers, type ImportOptions } from './configuration/import-servers.ts';
export type { UnsupportedSetting } from './configuration/unsupported-setting.ts';
export {
  watchServers,
  type WatchedServers,
  type WatchReport,
  type WatchServersOptions,
} from './configuration/watch-servers.ts';
export type { AuthInfo } from './protocol/auth-info.ts';
export type {
  ElicitationRequest,
  ElicitationResult,
  FormField,
  FormRequest,
  UrlRequest,
} from './protocol/elicitation.ts';
export type { JsonRpcMessage } from './protocol/message.ts';
export type { SamplingRequest, SamplingResult } from './protocol/sampling.ts';
export type { FetchLike, Transport } from './protocol/transport.ts';
