import type { Message, Prompt, Resource } from '@haft/core';
import type { CompiledSchema } from '@haft/schema';

/** Model preferences of a prompt. */
export interface ModelWish {
  readonly model?: string;
  readonly provider?: string;
  readonly thinking?: boolean;
  /** Maximum number of thinking tokens. */
  readonly thinkingBudget?: number;
}

/** A prompt with run options. Every {@link Prompt} of core is a valid agent prompt without options. */
export interface AgentPrompt extends Prompt, ModelWish {
  readonly systemPrompt?: string;
  /** Schema of the variables: an object or any other type. */
  readonly input?: CompiledSchema;
  /** Schema of the answer; default text. */
  readonly output?: CompiledSchema;
  /** Tools and prompts that the prompt may use, by name or `namespace.name`; default all tools. */
  readonly tools?: readonly string[];
  /** Maximum number of output tokens per model response. */
  readonly maxOutputTokens?: number;
  /** Renders the messages. The variables match {@link input}. */
  prepare(variables: unknown, resources: readonly Resource[]): readonly Message[] | Promise<readonly Message[]>;
}
