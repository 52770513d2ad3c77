import type { RemoteToolPlan } from './remote-tool-plan.ts';
import type { ToolText } from './tool-change.ts';

/** A tool of a server as somebody trusted it: plain data, to be kept between runs. */
export interface ApprovedTool extends ToolText {
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
export function approvalOf(tool: string, plan: RemoteToolPlan): ApprovedTool {
  const { remoteName, title, description, inputSchema, outputSchema, annotations } = plan;
  return { tool, remoteName, title, description, inputSchema, outputSchema, annotations };
}
