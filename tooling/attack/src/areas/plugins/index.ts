import type { AttackArea } from '../../attack.ts';
import { floods } from './floods.ts';
import { grants } from './grants.ts';
import { places } from './places.ts';
import { writtenTools } from './written-tools.ts';

/** Untrusted plugins, and tools that a model writes. */
export const area: AttackArea = {
  subject: 'plugins that nobody trusts, and tools that models write',
  attacks: [...floods, ...places, ...grants, ...writtenTools],
};
