export { connect } from './connect.ts';
export type { ConnectOptions } from './connect-options.ts';
export type { Connection } from './connection.ts';
export type { ConnectionDiagnostic, ConnectionEvent } from './connection-report.ts';
export type { ToolChange, ToolText } from './tool-change.ts';
export { McpError, mcpErrorCodes, type McpErrorCode } from './mcp-error.ts';
export { serveStdio, type ServeStdioOptions, type StdioServer } from './serve-stdio.ts';
