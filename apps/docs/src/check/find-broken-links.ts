/** A page of the built site: its address (`/errors/`) and its HTML. */
export interface BuiltPage {
  readonly address: string;
  readonly html: string;
}

/** Finds links, pictures, scripts and styles of built pages that lead nowhere, and anchors that no element has. */
export function findBrokenLinks(pages: readonly BuiltPage[], files: ReadonlySet<string>): readonly string[] {
  const anchors = new Map(pages.map(({ address, html }) => [address, anchorsOf(html)]));
  const problems = new Set<string>();
  for (const { address, html } of pages) {
    for (const [, target = ''] of html.matchAll(/<(?:a|img|link|script|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g)) {
      const url = new URL(target.replaceAll('&amp;', '&'), `https://site.invalid${address}`);
      if (url.host !== 'site.invalid') continue;
      const path = decodeURIComponent(url.pathname);
      const anchor = decodeURIComponent(url.hash.slice(1));
      const known = anchors.get(path);
      if (known === undefined && !files.has(path)) problems.add(`${address}: ${target} leads nowhere`);
      else if (anchor !== '' && known !== undefined && !known.has(anchor))
        problems.add(`${address}: ${target} has no such anchor`);
    }
  }
  return [...problems];
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/<[^>]*?\sid="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')));
}
