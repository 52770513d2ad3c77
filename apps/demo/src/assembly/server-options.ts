import type { ToolRegistry } from '@haft/core';
import type { ServerConsent } from './server-consent.ts';

/** What connecting MCP servers needs. */
export interface ServerOptions {
  readonly registry: ToolRegistry;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Approves new commands and changed tools. */
  readonly consent: ServerConsent;
  /** Receives one line about each server that is lost, unusable or changed. */
  readonly note: (line: string) => void;
}
