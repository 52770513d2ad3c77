/** An agent of the comparison. */
export interface ComparedAgent {
  /** Heading of its column. */
  readonly name: string;
  /** Package whose version is shown. Missing for Haft itself. */
  readonly packageName?: string;
  /** Module whose default export runs the agent once. */
  readonly module: string;
}

/** The agents, in the order of the columns. */
export const comparedAgents: readonly ComparedAgent[] = [
  { name: 'Haft', module: 'behaviours/haft' },
  { name: 'AI SDK', packageName: 'ai', module: 'behaviours/ai-sdk' },
  { name: 'Mastra', packageName: '@mastra/core', module: 'behaviours/mastra' },
  { name: 'LangChain', packageName: 'langchain', module: 'behaviours/langchain' },
  { name: 'pi', packageName: '@earendil-works/pi-agent-core', module: 'behaviours/pi' },
  { name: 'AI SDK with `@haft/ai-sdk`', module: 'behaviours/ai-sdk-with-haft' },
];
