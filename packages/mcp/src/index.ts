export { createConnection } from './create-connection.ts';
export type { ConnectionOptions } from './connection-options.ts';
export type { Connection } from './connection.ts';
export type {
  ConnectionDiagnostic,
  ConnectionEvent,
  ConnectionState,
  ConnectionStateChange,
} from './connection-report.ts';
export type { ToolChange, ToolText } from './tool-change.ts';
export { McpError, mcpErrorCodes, type McpErrorCode } from './mcp-error.ts';
export { serve, type ListenOptions, type RunningServer, type ServeOptions } from './serve.ts';
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions } from './http-handler.ts';
export type { HttpGuardOptions } from './http-guard.ts';
export type { ServableSource, ServedOptions } from './served-source.ts';
