import { markdownTable } from '@haft-tooling/benchmark-page';
import { damages, type DamageGroup } from '@haft-tooling/corpora/damaged-json';
import { countShare, isAsGood, type Results } from './reading/shares.ts';

/** Percentage of a class that is read correctly. */
export interface ClassShare {
  readonly name: string;
  readonly group: DamageGroup;
  readonly decides?: 'characters' | 'values';
  readonly haft: number;
  readonly peers: Readonly<Record<string, number>>;
}

/** The share of every class: Haft with the schema where the schema decides, peers with their defaults. */
export function countClassShares(
  results: Results,
  haft: string,
  haftWithSchema: string,
  peers: readonly string[],
): readonly ClassShare[] {
  return damages.map(({ name, group, decides }) => {
    const share = (reader: string): number =>
      countShare(results, reader, (one) => one.damages.length === 1 && one.damages[0] === name, isAsGood);
    const shares = peers.map((peer) => [peer, share(peer)] as const);
    return {
      name,
      group,
      ...(decides === undefined ? {} : { decides }),
      haft: share(group === 'schema' ? haftWithSchema : haft),
      peers: Object.fromEntries(shares),
    };
  });
}

/** Titles of the groups on the page. */
const groupTitles: Readonly<Record<DamageGroup, string>> = {
  string: 'Inside strings',
  quotes: 'Quotes',
  literal: 'Words and numbers',
  structure: 'Structure',
  style: 'Other languages',
  truncation: 'Cut short',
  concatenation: 'One after another',
  wrapper: 'Around the document',
  ambiguous: 'Several answers could be meant (only the expected ones count)',
  schema: 'Only the schema decides (Haft gets the schema)',
};

/** All classes in one table by group, with a column for each peer. */
export function renderClasses(shares: readonly ClassShare[]): string {
  const peers = Object.keys(shares[0]?.peers ?? {});
  const groups = [...Map.groupBy(shares, ({ group, decides }) => (decides === 'values' ? 'values' : group))];
  const ofValues = 'Valid JSON with a wrong value: a task for a validator, not for this package';
  const lines = groups.flatMap(([group, classes]) => [
    [`**${group === 'values' ? ofValues : groupTitles[group]}**`, ...['Haft', ...peers].map(() => '')],
    ...classes.map(({ name, haft, peers: others }) => [
      name,
      haft.toFixed(0),
      ...peers.map((peer) => (others[peer] ?? 0).toFixed(0)),
    ]),
  ]);
  return `**By class**, in %:\n\n${markdownTable(['class', '**Haft**', ...peers], lines)}`;
}
