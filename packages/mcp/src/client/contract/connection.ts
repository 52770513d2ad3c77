import type { AnyTool } from '@haft/core';
import type { ConnectionState } from './connection-report.ts';
import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import type { RemoteLibrary } from './remote-library.ts';
import type { ToolChange } from './tool-change.ts';

/** A connection to an MCP server. */
export interface Connection {
  /** Name of the connection and prefix of its tool names. */
  readonly name: string;
  /** Provider path of its tools: `dynamic/mcp/<name>`. */
  readonly provider: string;
  readonly state: ConnectionState;
  /** Name and version that the server reports; for display only. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
  /** The negotiated protocol era and revision. */
  readonly protocol: { readonly era: 'modern' | 'legacy'; readonly version: string };
  /** Process id of the server if this program started it. A restart changes it. */
  readonly pid: number | undefined;
  readonly tools: readonly AnyTool[];
  /** Resources, prompts, skills and log level of the server. */
  readonly library: RemoteLibrary;
  /** Changes of tool definitions that wait for approval. Until then, those tools can't be used. */
  readonly changes: readonly ToolChange[];
  /** Approves one of {@link changes}. Returns false if the server has since changed, restored or removed the tool. */
  approve(change: ToolChange): boolean;
  /** The last 100 diagnostics. */
  readonly diagnostics: readonly ConnectionDiagnostic[];
  /** The last text on the server's standard error, without secrets; at most 64 KiB. */
  stderr(): string;
  /** Lists the server's tools again. Resolves when the registry is up to date. */
  refresh(): Promise<void>;
  /** Unregisters the tools and ends the server: closes its input, then sends SIGTERM, then SIGKILL. */
  close(): Promise<void>;
}
