import type { ToolRegistry } from '@haft/core';
import type { ServerConsent } from './server-consent.ts';

/** What connecting MCP servers needs. */
export interface ServerOptions {
  readonly registry: ToolRegistry;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Approves new commands and changed tools. */
  readonly consent: ServerConsent;
  /** Receives one line about each server that is slow, lost, unusable or changed. */
  readonly note: (line: string) => void;
  /** Whether to name the servers of a file before they are started. */
  readonly announcesServers: boolean;
  /** Whether to wait for the servers of a file that are not ready after 5 s. Their tools are registered later. */
  readonly waitsForSlowServers: boolean;
}
