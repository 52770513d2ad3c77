import type { Resource } from '../results/resource.ts';
import type { Message } from './model.ts';
import type { Session } from '../workspace/session.ts';

/** A reusable prompt with variables. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly variables: readonly PromptVariable[];
  /** Creates the messages. `session` is the conversation that requested the prompt, if any. */
  prepare(
    variables: Readonly<Record<string, unknown>>,
    resources: readonly Resource[],
    session?: Session,
  ): readonly Message[] | Promise<readonly Message[]>;
}

/** A variable of a prompt. */
export interface PromptVariable {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}
