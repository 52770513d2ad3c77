import { createInterface } from 'node:readline/promises';
import { oneAtATime, type AskUser } from '@haft/permission';

/**
 * Asks the user about a call, and about one call at a time. Without a terminal, the answer is no. Ctrl-C ends the run.
 */
export const askAtTerminal: AskUser = oneAtATime(async ({ title, arguments: given }, signal) => {
  if (!process.stdin.isTTY) {
    return { action: 'deny', reason: 'There is no terminal to ask the user at. Continue without this call.' };
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // While a question is open, readline receives Ctrl-C. Pass it on to the program.
  terminal.once('SIGINT', () => process.emit('SIGINT'));
  // Ctrl-D ends the question without an answer, and so does the end of the call.
  signal.addEventListener('abort', () => terminal.close(), { once: true });
  const gone = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${title}\n  ${JSON.stringify(given)}\nAllow? (y/N): `), gone]);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim())
    ? { action: 'allow', scope: 'once' }
    : { action: 'deny', reason: 'The user said no.' };
});
