/** An agent of the comparison. */
export interface ComparedAgent {
  /** Heading of its column. */
  readonly name: string;
  /** Package whose version is shown. Missing for Haft itself. */
  readonly packageName?: string;
  /** Module whose default export runs the agent once. */
  readonly module: string;
  /** Whether it belongs to the first table of the root README. */
  readonly isShownFirst: boolean;
}

/** The agents, in the order of the columns. */
export const comparedAgents: readonly ComparedAgent[] = [
  { name: 'Haft', module: 'behaviours/haft', isShownFirst: true },
  { name: 'AI SDK', packageName: 'ai', module: 'behaviours/ai-sdk', isShownFirst: true },
  { name: 'Mastra', packageName: '@mastra/core', module: 'behaviours/mastra', isShownFirst: true },
  { name: 'LangChain', packageName: 'langchain', module: 'behaviours/langchain', isShownFirst: true },
  { name: 'pi', packageName: '@earendil-works/pi-agent-core', module: 'behaviours/pi', isShownFirst: true },
  { name: 'AI SDK with `@haft/ai-sdk`', module: 'behaviours/ai-sdk-with-haft', isShownFirst: false },
];
