import type { Damage } from './damage.ts';
import { ambiguousDamages } from './ambiguous.ts';
import { concatenationDamages } from './concatenation.ts';
import { literalDamages } from './literals.ts';
import { quotesDamages } from './quotes.ts';
import { schemaDamages } from './schema.ts';
import { stringDamages } from './strings.ts';
import { structureDamages } from './structure.ts';
import { styleDamages } from './style.ts';
import { truncationDamages } from './truncation.ts';
import { wrapperDamages } from './wrappers.ts';

/**
 * All classes of damage, in the order in which several are applied to one document. To add one, add a line to its
 * group.
 */
export const damages: readonly Damage[] = [
  ...stringDamages,
  ...quotesDamages,
  ...literalDamages,
  ...structureDamages,
  ...styleDamages,
  ...truncationDamages,
  ...concatenationDamages,
  ...wrapperDamages,
  ...ambiguousDamages,
  ...schemaDamages,
];

/** The classes with one right answer without a schema. */
export const plainDamages: readonly Damage[] = damages.filter(
  ({ group }) => group !== 'ambiguous' && group !== 'schema',
);
