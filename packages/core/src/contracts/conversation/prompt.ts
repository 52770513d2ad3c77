import type { Resource } from '../results/resource.ts';
import type { Message } from './model.ts';
import type { Session } from '../workspace/session.ts';

/** A reusable request with variables. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly variables: readonly PromptVariable[];
  /** Makes the messages. `session` is the conversation it is wanted for, where there is one. */
  prepare(
    variables: Readonly<Record<string, unknown>>,
    resources: readonly Resource[],
    session?: Session,
  ): readonly Message[] | Promise<readonly Message[]>;
}

/** One value a prompt asks for. */
export interface PromptVariable {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}
