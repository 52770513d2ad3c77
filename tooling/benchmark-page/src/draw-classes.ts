import { round, writeSvg, writeText } from './svg.ts';

/** Percentage of one class of damaged JSON that is recovered. */
interface ClassShare {
  readonly name: string;
  readonly haft: number;
  readonly best: number;
  /** The peer with the highest share, without its version. Missing if no peer recovers any case. */
  readonly bestPeer?: string;
}

interface ClassGroup {
  readonly title: string;
  readonly classes: ClassShare[];
}

const width = 920;
const labelWidth = 384;
const right = 150;
const rowHeight = 17;
const titleHeight = 34;
const top = 84;

/**
 * Draws the table "By class" of a section: a dot for Haft, a ring for the best peer, a line between them. Omits classes
 * that only a validator can handle.
 */
export function drawClasses(section: string): string {
  const parts: string[] = [];
  let y = top;
  for (const { title, classes } of readGroups(section)) {
    y += titleHeight;
    parts.push(writeText(16, y - 9, title, { of: 'title' }));
    for (const one of classes) {
      parts.push(...drawRow(one, y + rowHeight / 2));
      y += rowHeight;
    }
  }
  return writeSvg(
    { width, height: y + 36 },
    'How much of each class of damaged JSON comes back: Haft beside the best peer',
    [
      writeText(16, 32, 'Damaged JSON: how much comes back as it was meant', { of: 'headline' }),
      '<circle class="haft" cx="22" cy="53" r="3.8"/>',
      writeText(32, 57, 'Haft'),
      '<circle class="peer" cx="82" cy="53" r="6"/>',
      writeText(92, 57, 'the best peer of the class, each called alone with its defaults'),
      ...drawGrid(top + 10, y + 4),
      ...parts,
    ],
  );
}

function readGroups(section: string): readonly ClassGroup[] {
  const [, head = '', body = ''] =
    /^\| class \| \*\*Haft\*\* \| (.+) \|\n\|.*\n((?:\|.*\n)+)/m.exec(`${section}\n`) ?? [];
  if (body === '') throw new Error('docs/benchmarks.md: repair has no table of classes');
  const peers = head.split(' | ').map((name) => name.replace(/ \d[\w.-]*$/, ''));
  const groups: ClassGroup[] = [];
  for (const line of body.trimEnd().split('\n')) {
    const title = /^\| \*\*(.+)\*\* \|/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, classes: [] });
    else groups.at(-1)?.classes.push(readClass(line, peers));
  }
  return groups.filter(({ title }) => !title.startsWith('Valid JSON with a wrong value'));
}

function readClass(line: string, peers: readonly string[]): ClassShare {
  const [name = '', haft, ...others] = line.slice(2, -2).split(' | ');
  const shares = others.map(Number);
  const best = Math.max(...shares);
  const bestPeer = best > 0 ? peers[shares.indexOf(best)] : undefined;
  return { name, haft: Number(haft), best, ...(bestPeer === undefined ? {} : { bestPeer }) };
}

const across = (share: number): number => round(labelWidth + ((width - labelWidth - right) * share) / 100);

function drawRow({ name, haft, best, bestPeer = 'no peer' }: ClassShare, y: number): readonly string[] {
  const peer = bestPeer.replace('best-effort-json-parser', 'best-effort').replace('AI SDK parsePartialJson', 'AI SDK');
  return [
    writeText(labelWidth - 14, y + 4, name, { anchor: 'end' }),
    `<line class="gap${haft < best ? ' loss' : ''}" x1="${across(best)}" y1="${y}" x2="${across(haft)}" y2="${y}"/>`,
    `<circle class="peer" cx="${across(best)}" cy="${y}" r="6"/>`,
    `<circle class="haft" cx="${across(haft)}" cy="${y}" r="3.8"/>`,
    writeText(width - right + 14, y + 4, `${haft} / ${best}  ${peer}`, { of: 'small' }),
  ];
}

function drawGrid(from: number, to: number): readonly string[] {
  return [0, 25, 50, 75, 100].flatMap((share) => {
    const x = across(share);
    return [
      `<line class="grid" x1="${x}" y1="${from}" x2="${x}" y2="${to}"/>`,
      writeText(x, to + 16, `${share} %`, { of: 'small', anchor: 'middle' }),
      writeText(x, from - 6, `${share} %`, { of: 'small', anchor: 'middle' }),
    ];
  });
}
