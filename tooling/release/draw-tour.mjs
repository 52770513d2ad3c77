// Draws the beginning of the guided tour as docs/tour.svg, from its terminal output on standard input:
//   FORCE_COLOR=1 npm run --silent demo | node tooling/release/draw-tour.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const maxLines = 66;
const lineHeight = 18;
const padding = 16;
const characterWidth = 7.85;
/** Classes of the SGR codes that the tour uses. */
const styles = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' };
const resets = { 22: ['bold', 'dim'], 39: ['red', 'green', 'yellow', 'cyan'], 0: Object.values(styles) };

/** Styles that are on, also across line breaks. */
const active = new Set();

const output = readFileSync(0, 'utf8').replaceAll(/\/[^\s]*\/haft-tour-[^/\s]+\//g, '/tmp/haft-tour/');
const lines = output.trimEnd().split(/\r?\n/).slice(0, maxLines).map(readSegments);
while (lines.at(-1)?.length === 0) lines.pop();

/** Splits a line into texts with classes. Neighbours of the same style are joined. */
function readSegments(line) {
  const segments = [];
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const codes = /^\u001b\[([\d;]*)m$/.exec(part);
    if (codes === null) {
      const style = [...active].join(' ');
      if (part === '') continue;
      if (segments.at(-1)?.style === style) segments.at(-1).text += part;
      else segments.push({ style, text: part });
      continue;
    }
    for (const code of codes[1] === '' ? ['0'] : codes[1].split(';')) {
      if (code in styles) active.add(styles[code]);
      for (const style of resets[code] ?? []) active.delete(style);
    }
  }
  return segments;
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const widest = Math.max(...lines.map((segments) => segments.reduce((length, { text }) => length + text.length, 0)));
const width = Math.ceil(widest * characterWidth) + 2 * padding;
const height = lines.length * lineHeight + 2 * padding;
const texts = lines.flatMap((segments, index) => {
  if (segments.length === 0) return [];
  const spans = segments.map(({ style, text }) =>
    style === '' ? escape(text) : `<tspan class="${style}">${escape(text)}</tspan>`,
  );
  return [`<text x="${padding}" y="${padding + 13 + index * lineHeight}">${spans.join('')}</text>`];
});

writeFileSync(
  new URL('../../docs/tour.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>The beginning of the guided tour in a terminal</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #1f2328; }
rect { fill: #f6f8fa; stroke: #d1d9e0; }
.bold { font-weight: bold; } .dim { fill: #59636e; } .red { fill: #c21c2c; } .green { fill: #116329; } .yellow { fill: #7d4e00; } .cyan { fill: #0a5c8a; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } rect { fill: #0d1117; stroke: #3d444d; }
.dim { fill: #9198a1; } .red { fill: #ff7b72; } .green { fill: #56d364; } .yellow { fill: #e3b341; } .cyan { fill: #76c7f5; }
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
${texts.join('\n')}
</svg>
`,
);
