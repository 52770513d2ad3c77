/**
 * The input of an agent in the comparison: a model behind an OpenAI-compatible server, and the body of its only tool.
 */
export interface AgentSetup {
  readonly baseURL: string;
  /** Receives the arguments that reach the tool. Returns its answer, or throws. */
  readonly execute: (args: unknown) => string;
}

/** Asks an agent to book a room. Rejects if the agent reports that its run failed. */
export type RunAgentOnce = (setup: AgentSetup) => Promise<void>;

export const modelName = 'scripted';
export const toolName = 'book_room';
export const toolDescription = 'Books a room.';
export const instructions = 'You book rooms.';
export const prompt = 'Book the blue room, please.';
