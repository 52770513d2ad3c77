import { areas } from './areas.ts';
import type { Area } from './areas.ts';
import { bestOther, bestPeer, describeStanding, formatValue, isBeaten } from './compare.ts';
import type { PageRow } from './read-page.ts';

/** The rows of every area. */
export type Rows = ReadonlyMap<string, readonly PageRow[]>;

/** The row that represents the area. Throws if the area has no row of that name. */
export function headlineOf({ name, headline }: Area, rows: Rows): PageRow {
  const row = rows.get(name)?.find(({ what }) => what.startsWith(headline));
  if (row === undefined) throw new Error(`docs/benchmarks.md: ${name} has no row that begins with "${headline}"`);
  return row;
}

/**
 * Writes the opening of the page: a line per area, the rows in which Haft is worse than a peer, and the generated data.
 */
export function writeFirstPage(rows: Rows): string {
  return [
    '| area | what is measured | Haft | best peer, or *the same work without a library* | Haft is | bar of this row | rows held |',
    '|---|---|---:|---|---|---|---:|',
    ...areas.map((area) => writeArea(area, rows)),
    '',
    '![Haft beside the best peer, one row for each area](benchmarks/overview.svg)',
    '',
    '## Where Haft is worse than a peer, or misses its bar',
    '',
    'All such rows. Some peers do less work in that time: see the section of the area.',
    '',
    '| area | row | Haft | best peer | Haft is | bar |',
    '|---|---|---:|---|---|---|',
    ...areas.flatMap(({ name }) => (rows.get(name) ?? []).flatMap((row) => writeLoss(name, row))),
    '',
    '## Which figures come from our own generators',
    '',
    'These areas read or change material that this repository generates (`tooling/corpora`), so their figures show how Haft handles the cases that its authors thought of:',
    `${areas.flatMap(({ name, generated }) => (generated === undefined ? [] : [`${name} (${generated})`])).join(', ')}.`,
    'Peers get the same material. At least half of it comes from seeds and words that were not studied while Haft was written. None of it is a sample of real model output.',
  ].join('\n');
}

function writeArea(area: Area, rows: Rows): string {
  const row = headlineOf(area, rows);
  const all = rows.get(area.name) ?? [];
  const other = bestOther(row);
  const name = other?.isYardstick === true ? `*${other.name}*` : (other?.name ?? '–');
  const peer = other === undefined ? '–' : `${formatValue(other.value, row)}, ${name}`;
  const standing = other === undefined ? '–' : describeStanding(row, other);
  const held = `${all.filter(({ holds }) => holds).length} of ${all.length}`;
  return `| [${area.name}](#${area.name}) | ${area.title} | ${formatValue(row.haft, row)} | ${peer} | ${standing} | ${row.holds ? 'held' : '**missed**'}: ${row.bar} | ${held} |`;
}

function writeLoss(area: string, row: PageRow): readonly string[] {
  const peer = bestPeer(row);
  if (row.holds && (peer === undefined || !isBeaten(row, peer))) return [];
  const cells =
    peer === undefined ? '– | –' : `${formatValue(peer.value, row)}, ${peer.name} | ${describeStanding(row, peer)}`;
  return [
    `| ${area} | ${row.what} | ${formatValue(row.haft, row)} | ${cells} | ${row.holds ? 'held' : '**missed**'}: ${row.bar} |`,
  ];
}
