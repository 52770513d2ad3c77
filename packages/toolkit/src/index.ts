export { createOutputTool, outputToolInstruction, outputToolName } from '@haft/runner';
export { unwrap } from './calling/unwrap-answer.ts';
export type { Answer, AnswerOrigin, FailedAnswer, ResourceAnswer } from './answer.ts';
export type { CallInput } from './calling/read-inputs.ts';
export type { LookupResult } from './catalogue/find-item.ts';
export type { PromptItem, ResourceItem, TemplateItem, ToolItem, ToolkitItem } from './catalogue/item.ts';
export type { ItemType, Listing, ListRequest } from './catalogue/list-items.ts';
export type { ToolkitConnectionOptions } from './connections/connection-service.ts';
export type { ConnectionInfo } from './connections/connection-slot.ts';
export type { ConnectionSource } from './connections/connection-source.ts';
export type { Connector, ConnectorEvent } from './connections/connector.ts';
export { createToolkit } from './toolkit/create-toolkit.ts';
export type { ToolkitDiagnostic, ToolkitEvent, ToolkitListener } from './events.ts';
export {
  builtinNamespace,
  reservedNames,
  reservedNamespaces,
  userNamespace,
  type NamespaceKind,
} from './namespaces.ts';
export type { MarkdownPrompt } from './prompts/build-prompt.ts';
export { definePrompt, type PromptDefinition } from './prompts/define-prompt.ts';
export { loadPrompts } from './prompts/load-prompts.ts';
export { readPrompt, type ReadPromptOptions } from './prompts/read-prompt.ts';
export type { AgentPrompt, ModelWish } from './prompts/agent-prompt.ts';
export { data } from './resources/data.ts';
export type { ReadyResource, ResourceDetails } from './resources/define-resource.ts';
export { json } from './resources/json.ts';
export { readText } from './resources/read-content.ts';
export { read, type ReadDetails, type ReadSource } from './resources/read.ts';
export {
  defineResourceTemplate,
  type ResourceTemplate,
  type ResourceTemplateDefinition,
} from './resources/resource-template.ts';
export { text } from './resources/text.ts';
export { parseUriTemplate, type UriTemplate } from './resources/uri-template.ts';
export { withDescription, withUri } from './resources/wrappers.ts';
export type { AnswerOptions, Toolkit, ToolkitServeOptions } from './toolkit/toolkit.ts';
export { ToolkitError, toolkitErrorCodes, type PromptIssue, type ToolkitErrorCode } from './toolkit-error.ts';
export type { UserItems } from './user/user-items.ts';
export type { ToolkitDelegate, ToolkitOptions } from './options/toolkit-options.ts';
