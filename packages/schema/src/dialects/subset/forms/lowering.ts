import type { SchemaDocument } from '../../../document/schema-document.ts';
import type { LostRule } from '../../definition/dialect.ts';
import type { Conjunction } from '../facets/facets.ts';
import type { Form } from './form.ts';
import type { Reading } from '../facets/read-facets.ts';
import type { SubsetRules } from '../facets/subset-rules.ts';

/** What a vendor counts. */
export type Amount = 'properties' | 'enumValues' | 'characters' | 'optionalKeys' | 'unions';

/** What the lowering of one part may use. */
export interface Lowering {
  readonly document: SchemaDocument;
  readonly rules: SubsetRules;
  /** What schemas say that all have to hold. */
  readonly read: (conjunction: Conjunction) => Reading;
  /** Lowers schemas that all have to hold; `level` counts objects and lists from the root. */
  readonly emit: (conjunction: Conjunction, level: number) => Form;
  /** The part as a string that holds JSON; `because` is the keyword that could not be said. */
  readonly asText: (conjunction: Conjunction, because: string) => Form;
  readonly lose: (rule: LostRule) => void;
  /** Takes an amount from what the vendor allows in one schema; false, and nothing taken, when it is used up. */
  readonly spend: (amount: Amount, count: number) => boolean;
  /** Notes where things stand; calling the answer forgets what was lost and spent since. */
  readonly mark: () => () => void;
}

/** The part of a {@link Lowering} that counts and remembers what is lost. */
export type Ledger = Pick<Lowering, 'lose' | 'spend' | 'mark'> & { readonly lost: readonly LostRule[] };

/** Counts what a schema has of what its vendor limits, and remembers what is lost on the way. */
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
