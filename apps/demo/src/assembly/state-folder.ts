import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder for the program's state: `haft` in `XDG_STATE_HOME`, or in `.local/state` of the home folder. */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment['XDG_STATE_HOME'] ?? '';
  return join(base.startsWith('/') ? base : join(homedir(), '.local', 'state'), 'haft');
}
