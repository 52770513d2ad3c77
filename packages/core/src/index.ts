export type { CallQueue, Lease } from './contracts/calls/call-queue.ts';
export type {
  ContentPart,
  TextPart,
  JsonPart,
  ImagePart,
  AudioPart,
  ResourcePart,
} from './contracts/results/content.ts';
export type {
  FoundTarget,
  PermissionDecision,
  PermissionEngine,
  PermissionRequest,
  ResolvedFile,
} from './contracts/permission/permission.ts';
export type { ProgressUpdate } from './contracts/tools/progress.ts';
export type {
  ToolContext,
  ToolSnapshot,
  AnyTool,
  Availability,
  DescriptionContext,
  StreamedInput,
  Tool,
  ToolContent,
  ToolPreference,
  ToolReturn,
} from './contracts/tools/tool.ts';
export type { DescriptionStore } from './contracts/tools/description-store.ts';
export type { Effect, FileDiff, FileEffect, ProcessEffect } from './contracts/results/effect.ts';
export type { Denial, ToolError } from './contracts/results/error.ts';
export type { Fault } from './contracts/results/fault.ts';
export type { Footprint } from './contracts/permission/footprint.ts';
export type { JsonValue } from './contracts/results/json.ts';
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
export type { ProcessOutcome, ProcessRequest, ProcessRunner } from './contracts/workspace/process-runner.ts';
export type { Prompt, PromptVariable } from './contracts/conversation/prompt.ts';
export { isResource, type Resource } from './contracts/results/resource.ts';
export type {
  ArgumentCoercion,
  ArgumentReport,
  ToolFailure,
  ToolResult,
  ToolResultBase,
  ToolSuccess,
} from './contracts/results/result.ts';
export {
  silentLogger,
  type Logger,
  type PeerAnswer,
  type PeerSampling,
  type Session,
  type SessionPeer,
} from './contracts/workspace/session.ts';
export type { BatchContext, CallContext, CallReading, ToolCall } from './contracts/calls/call.ts';
export type { RestoreProblem, RestoreReport, ToolProvider } from './contracts/calls/provider.ts';
export type { ToolSource } from './contracts/calls/source.ts';
export type { SteerOptions, SteerSink } from './contracts/conversation/steer-sink.ts';
export type { SideEffects, ToolKind, ToolTraits } from './contracts/permission/traits.ts';
export type { Roots, Workspace, WorkspaceJail, WorkspaceOptions } from './contracts/workspace/workspace.ts';
export type { AfterTurn, BeforeTurn, TurnHooks, TurnInfo, TurnOutcome } from './contracts/conversation/turn-hooks.ts';
export { defineCliTool, type CliToolDefinition } from './cli/define-cli-tool.ts';
export type { NoInput } from './define/compile-input.ts';
export { describeCause } from './describe-cause.ts';
export type { OutputMode } from './define/output-modes.ts';
export type { ToolDescription } from './define/describe-to.ts';
export { createWorkspace } from './workspace/create-workspace.ts';
export { decodeArgs, type DecodedArguments } from './dispatch/steps/decode.ts';
export { createDispatcher, dispatch } from './dispatch/dispatcher.ts';
export { type DispatcherOptions, type SpillText } from './dispatch/options/dispatcher-options.ts';
export { asCallableTools, toToolCall, type FoundCall } from './dispatch/to-tool-call.ts';
export { createInputStream, type InputStream } from './dispatch/stream-input.ts';
export { createCallQueue } from './dispatch/lease/lease-queue.ts';
export type { CallRetries } from './dispatch/options/retry-options.ts';
export type { CallInfo, DispatchMiddleware, Preparation } from './contracts/calls/middleware.ts';
export { defineTool, eraseTool, kindOf } from './define/define-tool.ts';
export { type RenderedOutput, type ToolDefinition } from './define/tool-definition.ts';
export { redactSecrets, redactText } from './events/redact-secrets.ts';
export { queueObserver, type QueuedObserver, type QueueObserverOptions } from './events/queue-observer.ts';
export type {
  ToolCancelledEvent,
  ToolEndEvent,
  ToolEvent,
  ToolEventAction,
  ToolEventBase,
  ToolEventData,
  ToolObserver,
  ToolProgressEvent,
  ToolStartEvent,
} from './events/tool-event.ts';
export { HaftError, haftErrorCodes, type HaftErrorCode } from './haft-error.ts';
export { createIdSource } from './names/create-id-source.ts';
export { limitCalls, type CallLimit, type CallLimitOptions } from './limits/limit-calls.ts';
export { allowAll, allowReadOnly } from './workspace/permission-engines.ts';
export { asModelTool, asProviderTools } from './registry/as-model-tool.ts';
export type { RegistryDraft } from './registry/claims.ts';
export { MemoryDescriptionStore, type DescriptionPersistence } from './registry/memory-description-store.ts';
export { combineSources, type CombinedSource, type SourceShadow } from './sources/combine-sources.ts';
export { createNameCodec, encodeName, isWireName, type NameCodec } from './names/name-codec.ts';
export { findNearestNames } from './nearest-names.ts';
export { isUnderProvider, lifecycleProvider, localProvider } from './names/provider-path.ts';
export { filterSnapshot } from './registry/snapshot.ts';
export { createSnapshotFilter } from './registry/snapshot-filter.ts';
export {
  toolInfo,
  ToolRegistry,
  type RegistryChange,
  type Shadow,
  type ToolAvailability,
  type ToolRegistryOptions,
} from './registry/tool-registry.ts';
export { errorCodes, type ErrorCode } from './results/error-codes.ts';
export { httpStatusOf } from './results/http-status.ts';
export { renderForModel, renderPart } from './results/render-for-model.ts';
export { toolError, transient, validation, type ToolErrorExtras } from './results/tool-error.ts';
export {
  failure,
  isToolError,
  isToolResult,
  success,
  toParts,
  type ResultExtras,
  wrapReturn,
} from './results/tool-result.ts';
export { fileEffects, processEffects } from './results/effects-of.ts';
export {
  fromStoredResult,
  toStoredResult,
  type StoredResult,
  type StoreResultOptions,
} from './results/stored-result.ts';
