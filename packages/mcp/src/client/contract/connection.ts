import type { AnyTool } from '@haft/core';
import type { ConnectionState } from './connection-report.ts';
import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import type { RemoteLibrary } from './remote-library.ts';
import type { ToolChange } from './tool-change.ts';

/** A server whose tools can be called. */
export interface Connection {
  /** What its tools' names begin with. */
  readonly name: string;
  /** Provider path of its tools: `dynamic/mcp/<name>`. */
  readonly provider: string;
  readonly state: ConnectionState;
  /** What the server says of itself; for display only. */
  readonly server: { readonly name: string; readonly version: string } | undefined;
  /** Generation and revision of the protocol that is spoken. */
  readonly protocol: { readonly era: 'modern' | 'legacy'; readonly version: string };
  /** Process of the server, when it was started here; another one after it was brought back. */
  readonly pid: number | undefined;
  readonly tools: readonly AnyTool[];
  /** What the server has besides tools: resources, prompts, a log. */
  readonly library: RemoteLibrary;
  /** What the server has changed of its tools and nobody has approved; until then those tools can't be used. */
  readonly changes: readonly ToolChange[];
  /** Takes in a change of {@link changes}; false when the server has changed the tool again, or back, or withdrawn it. */
  approve(change: ToolChange): boolean;
  /** The last 100 things that were not as they should be. */
  readonly diagnostics: readonly ConnectionDiagnostic[];
  /** The end of what the server wrote to standard error, without secrets; at most 64 KiB. */
  stderr(): string;
  /** Lists the server's tools again; resolves when the registry is in step. */
  refresh(): Promise<void>;
  /** Takes the tools out of the registry and ends the server: asked first, told next, killed last. */
  close(): Promise<void>;
}
