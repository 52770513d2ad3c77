import type { AttackArea } from '../../attack.ts';
import { evaluations } from './evaluations.ts';

/** Command lines that run more than they seem to. */
export const area: AttackArea = {
  subject: 'command lines that run what was not judged',
  attacks: [...evaluations],
};
