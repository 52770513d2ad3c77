import type { ClassShare } from './class-shares.ts';
import { groupTitles } from './class-shares.ts';

const width = 920;
const labelWidth = 384;
const right = 150;
const rowHeight = 17;
const titleHeight = 34;
const top = 84;

/**
 * Draws how much of each class comes back: a dot for Haft, a ring for the best peer, a line between them. Classes that
 * are a validator's work are left out. Colours follow the reader's light or dark theme.
 */
export function drawClasses(shares: readonly ClassShare[]): string {
  const groups = [
    ...Map.groupBy(
      shares.filter(({ decides }) => decides !== 'values'),
      ({ group }) => group,
    ),
  ];
  const parts: string[] = [];
  let y = top;
  for (const [group, classes] of groups) {
    y += titleHeight;
    parts.push(`<text class="title" x="16" y="${y - 9}">${escape(groupTitles[group])}</text>`);
    for (const one of classes) {
      parts.push(drawRow(one, y + rowHeight / 2));
      y += rowHeight;
    }
  }
  const height = y + 36;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="How much of each class of damaged JSON comes back: Haft beside the best peer">`,
    `<style>${style}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    `<text class="headline" x="16" y="32">Damaged JSON: how much comes back as it was meant</text>`,
    drawLegend(),
    drawGrid(top + 10, y + 4),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

const style = [
  '.page{fill:#fff}text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#3a4048}',
  '.headline{font-size:17px;font-weight:600;fill:#14181d}.title{font-weight:600;fill:#14181d}.small{font-size:10.5px;fill:#717983}',
  '.grid{stroke:#e4e7eb}.gap{stroke:#bcd3ee;stroke-width:4;stroke-linecap:round}.loss{stroke:#f2c4b8}',
  '.haft{fill:#1264c4}.peer{fill:#fff;stroke:#c2571a;stroke-width:2}',
  '@media(prefers-color-scheme:dark){.page{fill:#14181d}text{fill:#b9c1ca}.headline,.title{fill:#f1f4f7}.small{fill:#8b949e}',
  '.grid{stroke:#2a3037}.gap{stroke:#234a76}.loss{stroke:#5f3226}.haft{fill:#6db0ff}.peer{fill:#14181d;stroke:#f09a5c}}',
].join('');

const across = (share: number): number => labelWidth + ((width - labelWidth - right) * share) / 100;

function drawRow({ name, haft, best, bestPeer }: ClassShare, y: number): string {
  const [own, other] = [across(haft).toFixed(1), across(best).toFixed(1)];
  const who = bestPeer === undefined ? 'nobody' : bestPeer.replace(/ \d[\w.-]*$/, '');
  return [
    `<text x="${labelWidth - 14}" y="${y + 4}" text-anchor="end">${escape(name)}</text>`,
    `<line class="gap${haft < best ? ' loss' : ''}" x1="${other}" y1="${y}" x2="${own}" y2="${y}"/>`,
    `<circle class="peer" cx="${other}" cy="${y}" r="6"/>`,
    `<circle class="haft" cx="${own}" cy="${y}" r="3.8"/>`,
    `<text class="small" x="${width - right + 14}" y="${y + 4}">${haft.toFixed(0)} / ${best.toFixed(0)}  ${escape(shorten(who))}</text>`,
  ].join('');
}

const shorten = (name: string): string =>
  name.replace('best-effort-json-parser', 'best-effort').replace('AI SDK parsePartialJson', 'AI SDK');

function drawLegend(): string {
  return [
    '<circle class="haft" cx="22" cy="53" r="3.8"/><text x="32" y="57">Haft</text>',
    '<circle class="peer" cx="82" cy="53" r="6"/><text x="92" y="57">the best peer of the class, each called alone with its defaults</text>',
  ].join('');
}

function drawGrid(from: number, to: number): string {
  return [0, 25, 50, 75, 100]
    .map((share) => {
      const x = across(share).toFixed(1);
      return `<line class="grid" x1="${x}" y1="${from}" x2="${x}" y2="${to}"/><text class="small" x="${x}" y="${to + 16}" text-anchor="middle">${share} %</text><text class="small" x="${x}" y="${from - 6}" text-anchor="middle">${share} %</text>`;
    })
    .join('');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
