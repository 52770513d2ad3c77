import { AsyncLocalStorage } from 'node:async_hooks';

/** How many prompts are under way around what runs now, in this toolkit or another. */
const depth = new AsyncLocalStorage<number>();

/** How deep the code that asks is inside prompts; 0 outside of any. */
export function promptDepth(): number {
  return depth.getStore() ?? 0;
}

/** Runs something as one prompt deeper. */
export function insidePrompt<Value>(run: () => Promise<Value>): Promise<Value> {
  return depth.run(promptDepth() + 1, run);
}
