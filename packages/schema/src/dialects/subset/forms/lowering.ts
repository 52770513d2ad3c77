import type { SchemaDocument } from '../../../document/schema-document.ts';
import type { LostRule } from '../../definition/dialect.ts';
import type { Conjunction } from '../facets/facets.ts';
import type { Form } from './form.ts';
import type { Reading } from '../facets/read-facets.ts';
import type { SubsetRules } from '../facets/subset-rules.ts';

/** A size that a provider limits. */
export type Amount = 'properties' | 'enumValues' | 'characters' | 'optionalKeys' | 'unions';

/** Operations for the conversion of one schema. */
export interface Lowering {
  readonly document: SchemaDocument;
  readonly rules: SubsetRules;
  /** Reads schemas that must all hold. */
  readonly read: (conjunction: Conjunction) => Reading;
  /** Converts schemas that must all hold. `level` counts objects and lists from the root. */
  readonly emit: (conjunction: Conjunction, level: number) => Form;
  /** Converts to a string that contains JSON. `because` is the keyword that could not be expressed. */
  readonly asText: (conjunction: Conjunction, because: string) => Form;
  readonly lose: (rule: LostRule) => void;
  /**
   * Counts an amount against one of the provider's limits. Returns false, and counts nothing, if it would exceed the
   * limit.
   */
  readonly spend: (amount: Amount, count: number) => boolean;
  /** Saves the current state. The returned function restores it: it undoes the losses and amounts recorded since. */
  readonly mark: () => () => void;
}

/** The part of a {@link Lowering} that records sizes and lost rules. */
export type Ledger = Pick<Lowering, 'lose' | 'spend' | 'mark'> & { readonly lost: readonly LostRule[] };

/** Counts the limited sizes of a schema and records lost rules. */
export function createLedger(limits: SubsetRules['limits']): Ledger {
  const lost: LostRule[] = [];
  const spent = new Map<Amount, number>();
  return {
    lost,
    lose: (rule) => void lost.push(rule),
    spend(amount, count) {
      const sum = (spent.get(amount) ?? 0) + count;
      if (sum > (limits[amount] ?? Infinity)) return false;
      spent.set(amount, sum);
      return true;
    },
    mark() {
      const before = new Map(spent);
      const length = lost.length;
      return () => {
        lost.length = length;
        for (const amount of spent.keys()) spent.set(amount, before.get(amount) ?? 0);
      };
    },
  };
}
