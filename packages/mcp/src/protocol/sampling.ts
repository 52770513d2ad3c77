import type { ContentBlock, Icon, MediaContent, TextContent } from './content.ts';
import type { RequestMeta } from './message.ts';

/** A call of a tool in a sampled message. */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  _meta?: Record<string, unknown> | undefined;
}

/** The result of a call in a sampled message. */
export interface ToolResultContent {
  type: 'tool_result';
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** One part of a sampled message. */
export type SamplingContent = TextContent | MediaContent | ToolUseContent | ToolResultContent;

/** A tool that the server gives to the model. */
export interface SamplingTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: {
    [key: string]: unknown;
    type: 'object';
    // oxlint-disable-next-line typescript/no-explicit-any -- a JSON Schema of any form
    properties?: Record<string, any> | undefined;
    required?: string[] | undefined;
  };
  outputSchema?: { [key: string]: unknown; $schema?: string | undefined } | undefined;
  annotations?:
    | {
        title?: string | undefined;
        readOnlyHint?: boolean | undefined;
        destructiveHint?: boolean | undefined;
        idempotentHint?: boolean | undefined;
        openWorldHint?: boolean | undefined;
      }
    | undefined;
  execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' | undefined } | undefined;
  icons?: Icon[] | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** Parameters of `sampling/createMessage`: a server asks for an answer of the host's model. */
export interface SamplingRequest {
  messages: {
    role: 'assistant' | 'user';
    content: SamplingContent | SamplingContent[];
    _meta?: Record<string, unknown> | undefined;
  }[];
  maxTokens: number;
  systemPrompt?: string | undefined;
  modelPreferences?:
    | {
        hints?: { name?: string | undefined }[] | undefined;
        costPriority?: number | undefined;
        speedPriority?: number | undefined;
        intelligencePriority?: number | undefined;
      }
    | undefined;
  includeContext?: 'allServers' | 'none' | 'thisServer' | undefined;
  temperature?: number | undefined;
  stopSequences?: string[] | undefined;
  tools?: SamplingTool[] | undefined;
  toolChoice?: { mode?: 'auto' | 'none' | 'required' | undefined } | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- what the specification calls "object"
  metadata?: Record<string, any> | undefined;
  task?: { ttl?: number | undefined } | undefined;
  _meta?: RequestMeta | undefined;
}

/** The model's answer to a {@link SamplingRequest}. */
export interface SamplingResult {
  [key: string]: unknown;
  model: string;
  role: 'assistant' | 'user';
  content: SamplingContent | SamplingContent[];
  stopReason?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
}
