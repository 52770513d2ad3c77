/** Colours of every picture, for light and dark backgrounds. */
export const style: string = [
  '.page{fill:#fff}text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#3a4048}',
  '.headline{font-size:17px;font-weight:600;fill:#14181d}.title{font-weight:600;fill:#14181d}.small{font-size:10.5px;fill:#717983}',
  '.grid{stroke:#e4e7eb}.even{stroke:#9aa3ad}.gap{stroke:#bcd3ee;stroke-width:4;stroke-linecap:round}.loss{stroke:#f2c4b8}',
  '.haft{fill:#1264c4}.peer{fill:#fff;stroke:#c2571a;stroke-width:2}.other{fill:none;stroke:#a3abb4}.missed{fill:#b3341a;font-weight:600}',
  '@media(prefers-color-scheme:dark){.page{fill:#14181d}text{fill:#b9c1ca}.headline,.title{fill:#f1f4f7}.small{fill:#8b949e}',
  '.grid{stroke:#2a3037}.even{stroke:#5d6670}.gap{stroke:#234a76}.loss{stroke:#5f3226}.haft{fill:#6db0ff}.peer{fill:#14181d;stroke:#f09a5c}',
  '.other{stroke:#5d6670}.missed{fill:#ff8f73}}',
].join('');

/** Wraps the parts of a picture into an SVG document. */
export function writeSvg(
  size: { readonly width: number; readonly height: number },
  label: string,
  parts: readonly string[],
): string {
  const { width, height } = size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(label)}">`,
    `<style>${style}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    ...parts.filter((part) => part !== ''),
    '</svg>\n',
  ].join('\n');
}

/** Writes one line of text. */
export function writeText(x: number, y: number, text: string, { of = '', anchor = 'start' } = {}): string {
  const attributes = `${of === '' ? '' : ` class="${of}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}`;
  return `<text${attributes} x="${round(x)}" y="${round(y)}">${escapeText(text)}</text>`;
}

/** Breaks a text into lines of limited length. */
export function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export const round = (value: number): number => Math.round(value * 10) / 10;
