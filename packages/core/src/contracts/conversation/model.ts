import type { JsonSchema } from '@haft/schema';
import type { ContentPart } from '../results/content.ts';

/** A call as it stands in a conversation. */
export interface MessageToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, repaired when that was needed; text where they could not be read. */
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

/** What a model is told about one tool. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Where the schema was lowered to a dialect: turns arguments that answer it into what the tool takes. */
  readonly raise?: (args: unknown) => unknown;
  /** The way back, for calls shown as history. */
  readonly lower?: (args: unknown) => unknown;
}

/** One request to a model. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Empty: the model may call nothing. */
  readonly tools: readonly ModelTool[];
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  /** Asks for a final answer of this shape, for models that can. */
  readonly responseSchema?: JsonSchema;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly signal?: AbortSignal;
}

/** Why a model stopped writing; everything not known counts as `unknown`, which is treated like `length`. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'unknown';

/** Tokens of one request, where the vendor reports them. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly costUsd?: number;
}

/** What a model writes, as it writes it. A stream ends with exactly one `finish`, or by throwing. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool-call-start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly id: string; readonly text: string }
  /** The whole call, with its arguments as the text that the model wrote. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason };

/** What a loop drives: any language model behind one small interface. */
export interface Model {
  /** Name of the model, such as `gpt-oss-20b`. */
  readonly name: string;
  /** Who makes it, such as `openai`; `supportedModels` globs match `vendor/name`. */
  readonly vendor?: string;
  generate(request: ModelRequest): AsyncIterable<ModelEvent>;
}
