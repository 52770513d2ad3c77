/** Which part of a page a text stands in. */
export type Region = 'main' | 'article' | 'body' | 'around';

/** What is never shown, or is no text. */
export const unseen: ReadonlySet<string> = new Set(
  'script style noscript template iframe frame object embed svg canvas math select datalist option textarea input button head title audio video map area dialog portal fencedframe frameset noframes noembed applet progress meter rp'.split(
    ' ',
  ),
);

/** What begins a line of its own. */
export const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

/** Marks around a stretch of a line. */
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

/** The region that begins with an element; nothing when it begins none. */
export function regionOf(name: string, attributes: Readonly<Record<string, string>>, now: Region): Region | undefined {
  const role = attributes['role'] ?? '';
  if (name === 'main' || role === 'main') return now === 'around' ? undefined : 'main';
  if (name === 'nav' || name === 'aside' || name === 'search' || aroundRoles.test(role)) return 'around';
  // Of an article they are the title and the notes, of a page what is the same on every page.
  if (name === 'header' || name === 'footer') return now === 'body' ? 'around' : undefined;
  return name === 'article' && now === 'body' ? 'article' : undefined;
}

/** Whether attributes other than `style` keep people from seeing an element. */
export function isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
  const { 'aria-hidden': fromAids, width, height } = attributes;
  if ('hidden' in attributes || 'popover' in attributes || fromAids?.trim().toLowerCase() === 'true') return true;
  return (name === 'img' || name === 'marquee') && [width, height].some(isTiny);
}

/** Whether an attribute gives a size that shows nothing: up to two pixels, or no part of the element around. */
function isTiny(size: string | undefined): boolean {
  const [, amount = '', unit] = /^\s*([\d.]+)(%?)/.exec(size ?? '') ?? [];
  return amount !== '' && Number.parseFloat(amount) <= (unit === '%' ? 0 : 2);
}
