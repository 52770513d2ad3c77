/** The session of the calls of the conversation. */
export const chatSession = 'workbench-chat';

/** One entry of the conversation. */
export type ChatEntry =
  | { readonly kind: 'user'; readonly text: string }
  | {
      readonly kind: 'assistant';
      readonly turn: number;
      /** The answer without the calls that were found in it. */
      readonly text: string;
      readonly reasoning: string;
      /** The whole answer, if calls were found in it. */
      readonly written?: string;
    }
  | {
      readonly kind: 'call';
      readonly turn: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      /** Whether the model wrote the call as text instead of as a structured call. */
      readonly isFromText: boolean;
      readonly state: 'running' | 'ok' | 'failed';
      readonly result: string;
      readonly diff?: string;
    }
  | { readonly kind: 'note'; readonly text: string; readonly isProblem: boolean };

/** The conversation. */
export interface ChatState {
  readonly isConnected: boolean;
  readonly isRunning: boolean;
  /** Names of the models that can be chosen. */
  readonly models: readonly string[];
  readonly model: string;
  /** Whether other OpenAI-compatible endpoints can be connected. */
  readonly canConnect: boolean;
  readonly entries: readonly ChatEntry[];
  readonly tokens: number;
  readonly costUsd: number;
}
