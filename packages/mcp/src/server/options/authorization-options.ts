import type { AnyTool } from '@haft/core';

/** Tells clients how to get tokens for this server, and which tools need which scopes. */
export interface AuthorizationOptions {
  /** Issuers of the authorization servers whose tokens `authenticate` accepts. */
  readonly servers: readonly string[];
  /** Public URL of this server, for which tokens are issued. Default: the URL of the request. */
  readonly resource?: string;
  /** Scopes that clients request first. Default: what the authorization server gives. */
  readonly scopes?: readonly string[];
  /** Scopes that a caller needs for a tool. Default: none. */
  readonly toolScopes?: (tool: AnyTool) => readonly string[];
}
