import { bestOther, comparePeers, describeStanding, formatValue, isBeaten, isMoreBetter, scaleOf } from './compare.ts';
import type { Compared, Scale } from './compare.ts';
import type { PageRow } from './read-page.ts';
import { round, wrap, writeSvg, writeText } from './svg.ts';

/** A row, and the text beside it. */
export interface LabelledRow {
  readonly label: string;
  readonly row: PageRow;
}

const width = 960;
const plot = { from: 340, to: 640 } as const;
const right = 664;
const end = width - 16;
const lineHeight = 15;

const panels: readonly { readonly scale: Scale; readonly title: string }[] = [
  { scale: 'share', title: 'Of a hundred' },
  { scale: 'ratio', title: 'Beside Haft (1): peers to the right do worse, peers to the left do better' },
  { scale: 'count', title: 'Counts, and what has no peer' },
];

/** Draws rows as one picture: a dot for Haft, a ring for the best peer, small rings for the others. */
export function drawRows(title: string, labelled: readonly LabelledRow[]): string {
  const parts = [writeText(16, 32, title, { of: 'headline' }), ...drawLegend()];
  let y = 66;
  for (const panel of panels) {
    const rows = labelled.filter(({ row }) => scaleOf(row) === panel.scale);
    if (rows.length === 0) continue;
    const { drawn, end } = drawPanel(panel, rows, y);
    parts.push(...drawn);
    y = end;
  }
  return writeSvg({ width, height: y }, title, parts);
}

function drawLegend(): readonly string[] {
  return [
    '<circle class="haft" cx="22" cy="51" r="4"/>',
    writeText(32, 55, 'Haft'),
    '<circle class="peer" cx="82" cy="51" r="5.5"/>',
    writeText(93, 55, 'the best peer, or the same work without a library'),
    '<circle class="other" cx="410" cy="51" r="3.5"/>',
    writeText(420, 55, 'other peers, and other forms of Haft'),
  ];
}

type Across = (value: number) => number;

function drawPanel(
  { scale, title }: (typeof panels)[number],
  rows: readonly LabelledRow[],
  top: number,
): { readonly drawn: readonly string[]; readonly end: number } {
  const { across, ticks } = axisOf(scale, rows);
  const drawn: string[] = [];
  let y = top + (scale === 'count' ? 30 : 50);
  for (const one of rows) {
    const hint = scale === 'share' && !isMoreBetter(one.row) ? ' (less is better)' : '';
    const lines = wrap(one.label + hint, 48);
    const height = Math.max(2, lines.length) * lineHeight + 10;
    const middle = y + height / 2;
    const first = middle - ((lines.length - 1) * lineHeight) / 2 + 4;
    drawn.push(...lines.map((line, index) => writeText(16, first + index * lineHeight, line)));
    drawn.push(
      ...(scale === 'count' ? writeBar(one.row, middle) : drawDots(one.row, middle, across)),
      ...writeValues(one.row, middle),
    );
    y += height;
  }
  const grid = ticks.flatMap(([value, text]) => {
    const x = round(across(value));
    return [
      `<line class="grid${text === '1' ? ' even' : ''}" x1="${x}" y1="${top + 46}" x2="${x}" y2="${y}"/>`,
      writeText(x, top + 40, text, { of: 'small', anchor: 'middle' }),
    ];
  });
  return { drawn: [writeText(16, top + 20, title, { of: 'title' }), ...grid, ...drawn], end: y + 14 };
}

function axisOf(
  scale: Scale,
  rows: readonly LabelledRow[],
): { readonly across: Across; readonly ticks: readonly (readonly [number, string])[] } {
  const place = (share: number): number => plot.from + (plot.to - plot.from) * share;
  if (scale === 'count') return { across: () => plot.from, ticks: [] };
  if (scale === 'share') {
    return {
      across: (value) => place(value / 100),
      ticks: [0, 25, 50, 75, 100].map((share) => [share, `${share} %`] as const),
    };
  }
  const advantages = rows
    .flatMap(({ row }) => comparePeers(row).map(({ advantage }) => advantage))
    .filter((advantage) => advantage > 0);
  const low = Math.floor(Math.log10(Math.min(0.5, ...advantages)));
  const high = Math.ceil(Math.log10(Math.max(2, ...advantages)));
  const powers = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  return {
    across: (value) => place((Math.log10(value) - low) / (high - low)),
    ticks: powers.map((power) => [10 ** power, power < 0 ? `1/${10 ** -power}` : String(10 ** power)] as const),
  };
}

function drawDots(row: PageRow, y: number, across: Across): readonly string[] {
  const isShare = row.unit === '%';
  const xOf = (peer: Compared): number => round(across(isShare ? peer.value : peer.advantage));
  const own = round(across(isShare ? row.haft : 1));
  const best = bestOther(row);
  const others = comparePeers(row).filter(({ name, advantage }) => name !== best?.name && (isShare || advantage > 0));
  const rings = others.map((peer) => `<circle class="other" cx="${xOf(peer)}" cy="${y}" r="3.5"/>`);
  const dot = `<circle class="haft" cx="${own}" cy="${y}" r="4"/>`;
  if (best === undefined || !(isShare || best.advantage > 0)) return [...rings, dot];
  const x = xOf(best);
  const gap = `<line class="gap${isBeaten(row, best) ? ' loss' : ''}" x1="${x}" y1="${y}" x2="${own}" y2="${y}"/>`;
  return [gap, ...rings, `<circle class="peer" cx="${x}" cy="${y}" r="5.5"/>`, dot];
}

/** Without a comparison, the bar takes the place of the axis. */
function writeBar({ bar }: PageRow, y: number): readonly string[] {
  const [first = '', ...more] = wrap(`bar: ${bar}`, 52);
  return [writeText(plot.from, y + 4, more.length === 0 ? first : `${first} …`, { of: 'small' })];
}

function writeValues(row: PageRow, y: number): readonly string[] {
  const best = bestOther(row);
  const upper = best === undefined ? y + 4 : y - 3;
  const missed = (at: number): string =>
    row.holds ? '' : writeText(end, at, 'bar missed', { of: 'missed', anchor: 'end' });
  const own = writeText(right, upper, `Haft ${formatValue(row.haft, row)}`);
  if (best === undefined) return [own, missed(upper)];
  return [
    own,
    writeText(end, upper, describeStanding(row, best), { anchor: 'end' }),
    writeText(right, y + 12, `${shortenName(best.name)} ${formatValue(best.value, row)}`, { of: 'small' }),
    missed(y + 12),
  ];
}

/** The name of a peer without its version and the called function. */
function shortenName(name: string): string {
  const short = name.replace(/ \d[\w.]*(?=$|[:, ])/, '').split(/[:,]/)[0] ?? name;
  return short.length > 24 ? `${short.slice(0, 23)}…` : short;
}
