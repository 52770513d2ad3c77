import type { AttackArea } from '../../attack.ts';
import { attacks as languages } from './programs-languages.ts';
import { attacks as rules } from './programs-rules.ts';
import { attacks as secrets } from './programs-secrets.ts';

/** Command lines that get around the permission engine. */
export const area: AttackArea = {
  subject: 'command lines that run without a question',
  attacks: [...secrets, ...languages, ...rules],
};
