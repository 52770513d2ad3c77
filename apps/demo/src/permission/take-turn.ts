import type { TerminalDevice } from './terminal-device.ts';

const last = new WeakMap<TerminalDevice, Promise<unknown>>();
const prompting = new WeakSet<TerminalDevice>();

/**
 * Runs a task that reads lines from a terminal, after all earlier tasks have ended. A line thus never answers another
 * question.
 */
export function takeTurn<T>(device: TerminalDevice, task: () => Promise<T>): Promise<T> {
  const turn = (last.get(device) ?? Promise.resolve()).then(task);
  last.set(
    device,
    turn.then(
      () => undefined,
      () => undefined,
    ),
  );
  return turn;
}

/** Waits for the user's next line, without a time limit. Resolves after questions that arrived in the meantime. */
export async function takePromptTurn<T>(device: TerminalDevice, prompt: () => Promise<T>): Promise<T> {
  const typed = await takeTurn(device, async () => {
    prompting.add(device);
    try {
      return await prompt();
    } finally {
      prompting.delete(device);
    }
  });
  await last.get(device);
  return typed;
}

/** Whether questions wait until the user has typed a line. */
export function isPrompting(device: TerminalDevice): boolean {
  return prompting.has(device);
}
