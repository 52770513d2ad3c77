import type { AttackArea } from '../../attack.ts';
import { destinationAttacks } from './destinations.ts';
import { hiddenTextAttacks } from './hidden-text.ts';
import { responseAttacks } from './responses.ts';

/** Servers and pages that a model was led to. */
export const area: AttackArea = {
  subject: 'servers that exhaust or deceive a client, and pages with text that only a model sees',
  attacks: [...responseAttacks, ...destinationAttacks, ...hiddenTextAttacks],
};
