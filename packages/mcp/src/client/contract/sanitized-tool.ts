import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';

/** What a model and people may be told of a server's tool, and what had to be done for that. */
export interface SanitizedTool {
  /** The name that the server knows. */
  readonly remoteName: string;
  /** Empty when the server gave none. */
  readonly title: string;
  /** Empty when the server gave none. */
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Absent also when it is unfit: answers are then not compared with it. */
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  /** What it claims of itself, of the few things that the protocol knows. */
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly diagnostics: readonly ConnectionDiagnostic[];
  /** The same for two tools that are shown the same. */
  readonly fingerprint: string;
}
