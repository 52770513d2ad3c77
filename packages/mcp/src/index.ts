export { createConnection } from './create-connection.ts';
export type { ConnectionOptions } from './connection-options.ts';
export type { ConnectionHost, HostQuestion, HostRoot } from './connection-host.ts';
export type { Connection } from './connection.ts';
export type {
  ConnectionDiagnostic,
  ConnectionEvent,
  ConnectionState,
  ConnectionStateChange,
} from './connection-report.ts';
export type { ToolChange, ToolText } from './tool-change.ts';
export type { AssertionQuestion, LoginOptions } from './login/login-options.ts';
export { createMemoryTokenStore, type TokenStore } from './login/token-store.ts';
export { McpError, mcpErrorCodes, type McpErrorCode } from './mcp-error.ts';
export { serve, type ListenOptions, type RunningServer, type ServeOptions } from './serve.ts';
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions } from './http-handler.ts';
export type { HttpGuardOptions } from './http-guard.ts';
export type { ServableSource, ServedOptions } from './served-source.ts';
export {
  createConnectionManager,
  type AddServerOptions,
  type ConnectionManager,
} from './manager/connection-manager.ts';
export type { ManagedServer } from './manager/managed-server.ts';
export type { ServerSource } from './manager/server-source.ts';
export type {
  ConnectionManagerOptions,
  ManagedConnection,
  ManagedState,
  ManagerEvent,
} from './manager/manager-options.ts';
export type { CommandQuestion } from './manager/command-print.ts';
export type { ReferenceValues } from './manager/expand-references.ts';
export { readServers, type ServerConfiguration, type ServerEntry } from './manager/server-entry.ts';
export { openSkillDirectory, type SkillDirectory, type SkillDirectoryOptions } from './skills/open-skill-directory.ts';
export type { RemoteSkill } from './skills/remote-skills.ts';
export type { TaskMode, TaskOptions } from './tasks/task-options.ts';
export type { RemoteLibrary, RemoteTemplate } from './remote-library.ts';
export type { LogLevel, ServerMessage } from './server-message.ts';
export type { ApprovedTool, ToolApprovals } from './tool-approvals.ts';
export {
  createLibrary,
  type CompletionQuestion,
  type Library,
  type LibraryChange,
  type LibraryOptions,
  type ServedTemplate,
} from './served-library.ts';
