import type { SanitizedTool } from './sanitized-tool.ts';
import type { RemoteToolDefinition } from './tool-change.ts';

/** A tool of a server as somebody trusted it: plain data, to be kept between runs. */
export interface ApprovedTool extends RemoteToolDefinition {
  /** Name of the tool here. */
  readonly tool: string;
  /** The server's own name of it. */
  readonly remoteName: string;
}

/** What was trusted of a server's tools in other runs: a tool that is described in another way since waits to be approved. */
export interface ToolApprovals {
  get(tool: string): ApprovedTool | undefined;
  /** Is told of each tool that is trusted: when it is seen for the first time, and when a change of it is approved. */
  set(approved: ApprovedTool): void;
}

/** What is kept of a tool that is trusted. */
export function approvalOf(tool: string, sanitized: SanitizedTool): ApprovedTool {
  const { remoteName, title, description, inputSchema, outputSchema, annotations } = sanitized;
  return { tool, remoteName, title, description, inputSchema, outputSchema, annotations };
}
