/**
 * A local web page for the tools of a program. Experimental: its names may change in any minor version.
 *
 * @packageDocumentation
 * @experimental
 */
export { createApprovals, type ApprovalOptions, type Approvals } from './approvals/create-approvals.ts';
export type {
  ChangeScope,
  JournalConflict,
  JournaledCall,
  JournaledChange,
  WorkbenchJournal,
} from './changes/workbench-journal.ts';
export { createChat, type Chat, type ChatOptions, type ChatRun, type Endpoint } from './chat/create-chat.ts';
export type { WorkbenchJob, WorkbenchJobEvent, WorkbenchJobs } from './jobs/workbench-jobs.ts';
export { createCallLog, type CallLog, type CallLogOptions } from './calls/create-call-log.ts';
export type {
  ApprovalView,
  CallDetails,
  CallSummary,
  DialectView,
  ServerMessageView,
  ServerView,
  ToolDetails,
  ToolSummary,
} from './contract/page-data.ts';
export type { RunSummary } from './contract/run-data.ts';
export { openRuns, type RunsOptions, type RunStore } from './runs/open-runs.ts';
export type { ReplayRun } from './runs/replay-recording.ts';
export {
  createServerLog,
  type FollowedConnection,
  type ServerLog,
  type ServerLogOptions,
} from './servers/create-server-log.ts';
export type { ConnectionState, PluginState, ServerToolChange } from './servers/list-servers.ts';
export { createWorkbench, type Workbench } from './workbench/create-workbench.ts';
export { createNodeHandler, type NodeHandler } from './workbench/node-handler.ts';
export { serveWorkbench, type ServedWorkbench, type ServeWorkbenchOptions } from './workbench/serve-workbench.ts';
export type { WorkbenchOptions, WorkbenchToolkit } from './workbench/workbench-options.ts';
export { WorkbenchError, workbenchErrorCodes, type WorkbenchErrorCode } from './workbench-error.ts';
