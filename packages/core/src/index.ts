export type { ContentPart } from './contracts/results/content.ts';
export type {
  PermissionDecision,
  PermissionEngine,
  PermissionRequest,
  ResolvedFile,
} from './contracts/permission/permission.ts';
export type { ProgressUpdate } from './contracts/tools/progress.ts';
export type { ToolContext, ToolSnapshot, AnyTool, Tool, ToolReturn } from './contracts/tools/tool.ts';
export type { Effect, FileDiff, FileEffect } from './contracts/results/effect.ts';
export type { Denial, ToolError } from './contracts/results/error.ts';
export type { Fault } from './contracts/results/fault.ts';
export type { Footprint } from './contracts/permission/footprint.ts';
export type {
  FinishReason,
  Message,
  MessageToolCall,
  Model,
  ModelEvent,
  ModelRequest,
  ModelTool,
  Usage,
} from './contracts/conversation/model.ts';
export type { ProcessRunner } from './contracts/workspace/process-runner.ts';
export type { Prompt, PromptVariable } from './contracts/conversation/prompt.ts';
export { isResource, type Resource } from './contracts/results/resource.ts';
export type { ToolFailure, ToolResult, ToolResultBase, ToolSuccess } from './contracts/results/result.ts';
export { silentLogger, type Logger, type Session } from './contracts/workspace/session.ts';
export type { BatchContext, CallContext, ToolCall } from './contracts/calls/call.ts';
export type { RestoreReport, ToolProvider } from './contracts/calls/provider.ts';
export type { ToolSource } from './contracts/calls/source.ts';
export type { DurableAgent, DurableRun, DurableRunResult, OpenTurn, RunLog } from './contracts/runs/run-log.ts';
export type { SteerSink } from './contracts/conversation/steer-sink.ts';
export type { ToolKind, ToolTraits } from './contracts/permission/traits.ts';
export type { Workspace } from './contracts/workspace/workspace.ts';
export type { TurnHooks } from './contracts/conversation/turn-hooks.ts';
export { defineCliTool, type CliToolDefinition } from './cli/define-cli-tool.ts';
export { createWorkspace } from './workspace/create-workspace.ts';
export { decodeArgs, parseArgs } from './dispatch/steps/decode.ts';
export { createDispatcher, dispatch } from './dispatch/dispatcher.ts';
export { type DispatcherOptions } from './dispatch/options/dispatcher-options.ts';
export { asCallableTools, toToolCall } from './dispatch/to-tool-call.ts';
export { createCallQueue } from './dispatch/lease/lease-queue.ts';
export type { CallInfo, DispatchMiddleware } from './contracts/calls/middleware.ts';
export { defineTool } from './define/define-tool.ts';
export { type ToolDefinition } from './define/tool-definition.ts';
export { redactSecrets, redactText } from './events/redact-event-secrets.ts';
export type { ToolEvent, ToolObserver } from './events/tool-event.ts';
export { HaftError, haftErrorCodes, type HaftErrorCode } from './haft-error.ts';
export { createIdSource } from './names/create-id-source.ts';
export { limitCalls } from './limits/limit-calls.ts';
export { allowAll, allowReadOnly } from './workspace/permission-engines.ts';
export { asModelTool, asProviderTools } from './registry/as-model-tool.ts';
export { MemoryDescriptionStore } from './registry/memory-description-store.ts';
export { combineSources, type CombinedSource, type SourceShadow } from './sources/combine-sources.ts';
export { findNearestNames } from './names/nearest-names.ts';
export { ToolRegistry, type ToolRegistryOptions } from './registry/tool-registry.ts';
export { errorCodes, type ErrorCode } from './results/error-codes.ts';
export { renderForModel } from './results/render-for-model.ts';
export { toolError, transient, validation } from './results/tool-error.ts';
export { failure, isToolError, isToolResult, success, type ResultExtras } from './results/tool-result.ts';
