import { AsyncLocalStorage } from 'node:async_hooks';

/** The nesting depth of prompts around the current code, across all toolkits. */
const depth = new AsyncLocalStorage<number>();

/** Returns the prompt depth of the calling code. The depth is 0 outside of prompts. */
export function promptDepth(): number {
  return depth.getStore() ?? 0;
}

/** Runs a function at a prompt depth that is one level deeper. */
export function insidePrompt<Value>(run: () => Promise<Value>): Promise<Value> {
  return depth.run(promptDepth() + 1, run);
}
