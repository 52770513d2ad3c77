import type { Message, Prompt, Resource } from '@haft/core';
import type { CompiledSchema } from '@haft/schema';

/** What a prompt wishes of the model that runs it. */
export interface ModelWish {
  readonly model?: string;
  readonly provider?: string;
  readonly thinking?: boolean;
  /** Tokens that it may think for. */
  readonly thinkingBudget?: number;
}

/** A prompt that says how it wants to be run. Any {@link Prompt} of core is one that has no wishes. */
export interface AgentPrompt extends Prompt, ModelWish {
  readonly systemPrompt?: string;
  /** What its variables look like: an object, or any other kind of value. */
  readonly input?: CompiledSchema;
  /** What its answer looks like; without one the answer is text. */
  readonly output?: CompiledSchema;
  /** The tools and prompts that it may use, by name or `namespace.name`; all tools when it does not say. */
  readonly tools?: readonly string[];
  /** Tokens that one answer of the model may have. */
  readonly maxOutputTokens?: number;
  /** The variables are whatever {@link input} takes. */
  prepare(variables: unknown, resources: readonly Resource[]): readonly Message[] | Promise<readonly Message[]>;
}
