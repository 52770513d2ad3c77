import type { AttackArea } from '../../attack.ts';
import { clientAttacks } from './clients.ts';
import { floodAttacks } from './floods.ts';
import { leakAttacks } from './leaks.ts';
import { textAttacks } from './texts.ts';

/** Hostile servers and clients of the Model Context Protocol. */
export const area: AttackArea = {
  subject: 'hostile servers and clients of MCP',
  attacks: [...textAttacks, ...leakAttacks, ...floodAttacks, ...clientAttacks],
};
