/** The region of a page that a text belongs to. */
export type Region = 'main' | 'article' | 'body' | 'around';

/** Elements that are never shown or contain no text. */
export const unseen: ReadonlySet<string> = new Set(
  'script style noscript template iframe frame object embed svg canvas math select datalist option textarea input button head title audio video map area dialog portal fencedframe frameset noframes noembed applet progress meter rp'.split(
    ' ',
  ),
);

/** Elements that begin on a new line. */
export const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/** Markdown marks for inline elements. */
export const emphasis: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};

const aroundRoles = /^(?:navigation|banner|contentinfo|search|complementary|menu|menubar|dialog|alertdialog)$/;

/** Returns the region that begins with an element, or undefined if it does not begin a region. */
export function regionOf(name: string, attributes: Readonly<Record<string, string>>, now: Region): Region | undefined {
  const role = attributes['role'] ?? '';
  if (name === 'main' || role === 'main') return now === 'around' ? undefined : 'main';
  if (name === 'nav' || name === 'aside' || name === 'search' || aroundRoles.test(role)) return 'around';
  // In an article, these elements contain its title and notes. Elsewhere, they contain what every page repeats.
  if (name === 'header' || name === 'footer') return now === 'body' ? 'around' : undefined;
  return name === 'article' && now === 'body' ? 'article' : undefined;
}

/** Returns whether attributes other than `style` hide an element. */
export function isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
  const { 'aria-hidden': fromAids, width, height } = attributes;
  if ('hidden' in attributes || 'popover' in attributes || fromAids?.trim().toLowerCase() === 'true') return true;
  return (name === 'img' || name === 'marquee') && [width, height].some(isTiny);
}

/** Returns whether a size shows nothing: up to two pixels, or 0 %. */
function isTiny(size: string | undefined): boolean {
  const [, amount = '', unit] = /^\s*([\d.]+)(%?)/.exec(size ?? '') ?? [];
  return amount !== '' && Number.parseFloat(amount) <= (unit === '%' ? 0 : 2);
}
