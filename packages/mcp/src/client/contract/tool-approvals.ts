import type { SanitizedTool } from '../../untrusted/sanitized-tool.ts';
import type { RemoteToolDefinition } from './tool-change.ts';

/** A trusted tool definition: plain data that can be stored between runs. */
export interface ApprovedTool extends RemoteToolDefinition {
  /** Registered name of the tool. */
  readonly tool: string;
  /** Name of the tool on the server. */
  readonly remoteName: string;
}

/** Stores trusted tool definitions. A tool whose definition differs has to be approved. */
export interface ToolApprovals {
  get(tool: string): ApprovedTool | undefined;
  /** Called for each trusted tool: when it is first seen, and when a change of it is approved. */
  set(approved: ApprovedTool): void;
}

/** Returns the data to store for a trusted tool. */
export function approvalOf(tool: string, sanitized: SanitizedTool): ApprovedTool {
  const { remoteName, title, description, inputSchema, outputSchema, annotations } = sanitized;
  return { tool, remoteName, title, description, inputSchema, outputSchema, annotations };
}
