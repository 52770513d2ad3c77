import { areas } from './areas.ts';
import { drawClasses } from './draw-classes.ts';
import { drawRows } from './draw-rows.ts';
import { headlineOf, writeFirstPage } from './first-page.ts';
import type { Rows } from './first-page.ts';
import { readRows, readSections } from './read-page.ts';

/** The page with its first page, and its pictures, keyed by their paths relative to the page. */
export interface Redrawn {
  readonly page: string;
  readonly pictures: ReadonlyMap<string, string>;
}

const firstPagePattern = /^<!-- first page -->\n.*?^<!-- \/first page -->\n/ms;

/** Draws the first page and every picture from the tables in the sections. The same tables give the same page. */
export function redraw(page: string): Redrawn {
  const sections = readSections(page);
  const rows: Rows = new Map([...sections].map(([name, section]) => [name, readRows(section)]));
  const firstPage = `<!-- first page -->\n${writeFirstPage(rows)}\n<!-- /first page -->\n`;
  if (!firstPagePattern.test(page))
    throw new Error('docs/benchmarks.md: the comments around the first page are missing');
  const pictures = areas.map(({ name }) => {
    const labelled = (rows.get(name) ?? []).map((row) => ({ label: row.what, row }));
    return [picturePath(name), drawRows(`${name}: Haft beside its peers`, labelled)] as const;
  });
  const headlines = areas.map((area) => ({ label: `${area.name}: ${area.title}`, row: headlineOf(area, rows) }));
  return {
    // Passes a function, because `$` has a meaning in a replacement string.
    page: page.replace(firstPagePattern, () => firstPage),
    pictures: new Map([
      ['benchmarks/overview.svg', drawRows('Haft beside the best peer, area by area', headlines)],
      ['benchmarks/repair-by-class.svg', drawClasses(sections.get('repair') ?? '')],
      ...pictures,
    ]),
  };
}

/** The line of a section that shows its picture. */
export function showPicture(name: string): string {
  return `![Haft beside its peers in every row of ${name}](${picturePath(name)})`;
}

function picturePath(name: string): string {
  return `benchmarks/${name}.svg`;
}
