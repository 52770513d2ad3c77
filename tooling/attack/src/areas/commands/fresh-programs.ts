import type { Attack } from '../../attack.ts';
import { codeLines, deniedHosts, deniedLines, ownLines, secretLines } from './fresh-lines.ts';
import { attackWithLines } from './programs-ground.ts';

const denied = [
  { action: 'deny', command: ['npm publish *', 'npm publish', 'git push *', 'git push', 'rm *', 'rm'] },
] as const;
const deniedHost = [{ action: 'deny', host: ['evil.example', '*.evil.example'] }] as const;

/** Rare programs, options and grammar. */
export const attacks: readonly Attack[] = [
  attackWithLines('A command that a rule denies runs under a rare name, option or grammar', deniedLines, {
    rules: denied,
  }),
  attackWithLines('A denied host is reached by a program that no table names', deniedHosts, { rules: deniedHost }),
  attackWithLines('Secrets and credentials are read without the name of their file', secretLines),
  attackWithLines('A rare runtime, console or client runs code that it is given', codeLines),
  attackWithLines('A line runs code that it writes, as a setting or behind an option', ownLines),
];
