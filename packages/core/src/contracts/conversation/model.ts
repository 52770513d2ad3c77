import type { JsonSchema } from '@haft/schema';
import type { ContentPart } from '../results/content.ts';

/** A call in a conversation. */
export interface MessageToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, repaired if necessary. Text if they could not be parsed. */
  readonly arguments: unknown;
}

/** One message of a conversation. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly reasoning?: string;
      readonly toolCalls?: readonly MessageToolCall[];
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly content: readonly ContentPart[];
      readonly isError: boolean;
    };

/** The definition of a tool as sent to a model. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /**
   * Converts arguments that match the lowered schema into arguments that the tool accepts. Present if the schema was
   * lowered to a dialect.
   */
  readonly raise?: (args: unknown) => unknown;
  /** The inverse of `raise`, for calls in the message history. */
  readonly lower?: (args: unknown) => unknown;
}

/** One request to a model. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** If empty, the model can't call any tools. */
  readonly tools: readonly ModelTool[];
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  /** Requests a final answer that matches this schema. Only for models that support it. */
  readonly responseSchema?: JsonSchema;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Whether the model thinks before it answers. Default: the model's own behavior. */
  readonly thinking?: boolean;
  /** Maximum number of thinking tokens. */
  readonly thinkingBudget?: number;
  readonly signal?: AbortSignal;
}

/** Why a model stopped. Unrecognized reasons map to `unknown`, which is treated like `length`. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'unknown';

/** Token counts of one request, if the vendor reports them. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly costUsd?: number;
}

/** A streamed event of a model's answer. A stream ends with exactly one `finish` event, or by throwing. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call-start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly id: string; readonly text: string }
  /** A complete call. The arguments are the text that the model wrote. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason };

/** The interface through which a loop drives a language model. */
export interface Model {
  /** Name of the model, such as `gpt-oss-20b`. */
  readonly name: string;
  /** Vendor of the model, such as `openai`. The `supportedModels` globs match `vendor/name`. */
  readonly vendor?: string;
  /** Members of a request that `generate` passes on. A loop reports the others as dropped. */
  readonly supports?: readonly ('thinking' | 'thinkingBudget')[];
  generate(request: ModelRequest): AsyncIterable<ModelEvent>;
}
