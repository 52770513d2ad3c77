import type { Resource } from './resource.ts';
import type { Message } from './model.ts';

/** A reusable request with variables. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly variables: readonly PromptVariable[];
  prepare(
    variables: Readonly<Record<string, unknown>>,
    resources: readonly Resource[],
  ): readonly Message[] | Promise<readonly Message[]>;
}

/** One value a prompt asks for. */
export interface PromptVariable {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}
