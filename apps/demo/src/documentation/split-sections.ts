import type { Page } from './read-pages.ts';

/** A part of a page: a heading, and the text up to the next one. */
export interface Section {
  readonly page: Page;
  /** The heading, or the title of the page for the text before the first one. */
  readonly heading: string;
  /** The text with its heading. */
  readonly text: string;
}

/** Splits a page at its headings of the second and third level. Lines in fenced code are not headings. */
export function splitSections(page: Page): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: page.title, lines: [] }];
  let fence: string | undefined;
  for (const line of page.text.split('\n')) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark?.startsWith(fence ?? '?') === true) fence = undefined;
    const heading = fence === undefined ? /^#{2,3} (.+)$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) sections.push({ heading: heading.replaceAll('`', '').trim(), lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ page, heading, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '');
}
