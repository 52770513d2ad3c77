import { createInterface } from 'node:readline/promises';
import type { PermissionAnswer, PermissionQuestion } from '@haft/permission';

/** Asks the user about a call. Without a terminal, the answer is no. Ctrl-C ends the run. */
export async function askAtTerminal({ title, arguments: given }: PermissionQuestion): Promise<PermissionAnswer> {
  if (!process.stdin.isTTY) {
    return { action: 'deny', reason: 'There is no terminal to ask the user at. Continue without this call.' };
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While a question is open, readline receives Ctrl-C. Pass it on to the program.
  terminal.once('SIGINT', () => process.emit('SIGINT'));
  // Ctrl-D ends the question without an answer.
  const gone = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${title}\n  ${JSON.stringify(given)}\nAllow? (y/N): `), gone]);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim())
    ? { action: 'allow', scope: 'once' }
    : { action: 'deny', reason: 'The user said no.' };
}
