import type { ConnectionDiagnostic } from '../connection-diagnostic.ts';

/** A server's tool definition after sanitizing, safe to show to models and users. */
export interface SanitizedTool {
  /** Name of the tool on the server. */
  readonly remoteName: string;
  /** Empty if the server sent none. */
  readonly title: string;
  /** Empty if the server sent none. */
  readonly description: string;
  /** The text that was cut from the description, for searches. Not part of the definition that the user trusts. */
  readonly searchText: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Undefined if missing or refused; results are then not validated. */
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  /** The server's hints, such as `readOnlyHint`, as far as the protocol defines them. */
  readonly annotations: Readonly<Record<string, boolean>>;
  /**
   * Whether calls have to be tasks of the 2025-11-25 revision. Not part of the definition that the user trusts.
   */
  readonly needsTask: boolean;
  readonly diagnostics: readonly ConnectionDiagnostic[];
  /** Equal for two tools with the same definition. */
  readonly fingerprint: string;
}
