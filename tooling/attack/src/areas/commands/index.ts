import type { AttackArea } from '../../attack.ts';
import { evaluations } from './evaluations.ts';
import { attacks as fresh } from './fresh-programs.ts';
import { attacks as languages } from './programs-languages.ts';
import { attacks as rules } from './programs-rules.ts';
import { attacks as secrets } from './programs-secrets.ts';

/** Command lines that get around the permission engine. */
export const area: AttackArea = {
  subject: 'command lines that run what was not judged',
  attacks: [...evaluations, ...secrets, ...languages, ...rules, ...fresh],
};
