import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for what the program remembers from run to run: `haft` in `XDG_STATE_HOME`, or in `.local/state` of the home. */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment['XDG_STATE_HOME'] ?? '';
  return join(base.startsWith('/') ? base : join(homedir(), '.local', 'state'), 'haft');
}
