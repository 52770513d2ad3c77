export type { CallQueue, Lease } from './contracts/call-queue.ts';
export type { ContentPart, TextPart, JsonPart, ImagePart, AudioPart, ResourcePart } from './contracts/content.ts';
export type { FoundTarget, ProgressUpdate, ToolContext } from './contracts/context.ts';
export type { DescriptionStore } from './contracts/description-store.ts';
export type { Effect, FileDiff, FileEffect, ProcessEffect } from './contracts/effect.ts';
export type { Denial, ToolError } from './contracts/error.ts';
export type { Fault } from './contracts/fault.ts';
export type { Footprint } from './contracts/footprint.ts';
export type { JsonValue } from './contracts/json.ts';
export type {
  FinishReason,
  Message,
  MessageToolCall,
  Model,
  ModelEvent,
  ModelRequest,
  ModelTool,
  Usage,
} from './contracts/model.ts';
export type { PermissionDecision, PermissionEngine, PermissionRequest, ResolvedFile } from './contracts/permission.ts';
export type { ProcessOutcome, ProcessRequest, ProcessRunner } from './contracts/process-runner.ts';
export type { Prompt, PromptVariable } from './contracts/prompt.ts';
export { isResource, type Resource } from './contracts/resource.ts';
export type {
  ArgumentCoercion,
  ArgumentReport,
  ToolFailure,
  ToolResult,
  ToolResultBase,
  ToolSuccess,
} from './contracts/result.ts';
export {
  silentLogger,
  type Logger,
  type PeerAnswer,
  type PeerSampling,
  type Session,
  type SessionPeer,
} from './contracts/session.ts';
export type {
  BatchContext,
  CallContext,
  CallReading,
  RestoreProblem,
  RestoreReport,
  ToolCall,
  ToolProvider,
  ToolSnapshot,
  ToolSource,
} from './contracts/source.ts';
export type { SteerOptions, SteerSink } from './contracts/steer-sink.ts';
export type {
  AnyTool,
  Availability,
  DescriptionContext,
  StreamedInput,
  Tool,
  ToolContent,
  ToolPreference,
  ToolReturn,
} from './contracts/tool.ts';
export type { SideEffects, ToolKind, ToolTraits } from './contracts/traits.ts';
export type { Roots, Workspace, WorkspaceJail, WorkspaceOptions } from './contracts/workspace.ts';
export type { AfterTurn, BeforeTurn, TurnHooks, TurnInfo, TurnOutcome } from './contracts/turn-hooks.ts';
export { defineCliTool, type CliToolDefinition } from './cli/define-cli-tool.ts';
export type { NoInput } from './compile-input.ts';
export { describeCause } from './describe-cause.ts';
export type { OutputMode } from './output-modes.ts';
export type { ToolDescription } from './describe-to.ts';
export { createWorkspace } from './create-workspace.ts';
export { decodeArgs, type DecodedArguments } from './dispatch/steps/decode.ts';
export { createDispatcher, dispatch } from './dispatch/dispatcher.ts';
export { type DispatcherOptions, type SpillText } from './dispatch/options/dispatcher-options.ts';
export { asCallableTools, toToolCall, type FoundCall } from './dispatch/to-tool-call.ts';
export { createInputStream, type InputStream } from './dispatch/stream-input.ts';
export { createCallQueue } from './dispatch/lease/lease-queue.ts';
export type { CallRetries } from './dispatch/options/retry-options.ts';
export type { CallInfo, DispatchMiddleware, Preparation } from './contracts/middleware.ts';
export { defineTool, eraseTool, kindOf, type RenderedOutput, type ToolDefinition } from './define-tool.ts';
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
export { createIdSource } from './create-id-source.ts';
export { limitCalls, type CallLimit, type CallLimitOptions } from './limits/limit-calls.ts';
export { allowAll, allowReadOnly } from './permission-engines.ts';
export { asModelTool, asProviderTools } from './registry/as-model-tool.ts';
export type { RegistryDraft } from './registry/claims.ts';
export { MemoryDescriptionStore, type DescriptionPersistence } from './registry/memory-description-store.ts';
export { combineSources, type CombinedSource, type SourceShadow } from './registry/combine-sources.ts';
export { createNameCodec, encodeName, isWireName, type NameCodec } from './registry/name-codec.ts';
export { findNearestNames } from './registry/nearest-names.ts';
export { isUnderProvider, lifecycleProvider, localProvider } from './registry/provider-path.ts';
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
export { failure, isToolError, isToolResult, success, toParts, type ResultExtras } from './results/tool-result.ts';
export { fileEffects, processEffects } from './results/effects-of.ts';
export {
  fromStoredResult,
  toStoredResult,
  type StoredResult,
  type StoreResultOptions,
} from './results/stored-result.ts';
export { wrapReturn } from './results/tool-result.ts';
