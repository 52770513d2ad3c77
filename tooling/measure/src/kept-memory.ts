/** Collects garbage, and returns the memory in use. Needs `--expose-gc`. */
export async function keptMemory(): Promise<NodeJS.MemoryUsage> {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (gc === undefined) throw new Error('run with --expose-gc');
  // Waits, so that objects that the last turns of the event loop still hold do not count as kept.
  await new Promise((resolve) => setTimeout(resolve, 50));
  gc();
  gc();
  return process.memoryUsage();
}
