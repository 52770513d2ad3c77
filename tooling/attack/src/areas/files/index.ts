import type { AttackArea } from '../../attack.ts';
import { gitPlaces } from './git-places.ts';
import { plantedGit } from './planted-git.ts';
import { settings } from './settings.ts';

/** A model that writes files that run later, with the rights of the user. */
export const area: AttackArea = {
  subject: 'files that other programs run, written by tools and by jailed commands',
  attacks: [...plantedGit, ...gitPlaces, ...settings],
};
