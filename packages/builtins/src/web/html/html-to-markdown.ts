import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { createBlockWriter } from './markdown-block-writer.ts';
import type { Region } from './element-roles.ts';
import { createPageHandler } from './html-page-handler.ts';

/** A page as Markdown. */
export interface MarkdownPage {
  readonly title: string;
  readonly markdown: string;
  /** Whether menus, headers and footers were omitted. */
  readonly isPartial: boolean;
  /** Whether the page is longer than the returned Markdown. */
  readonly isCut: boolean;
}

const everything: ReadonlySet<Region> = new Set(['main', 'article', 'body', 'around']);
const turnCharacters = 32_768;
const enoughForPage = 200;

/**
 * Converts HTML to Markdown as browsers would show it. If the page marks its main part, returns only that part. Parses
 * the HTML as a stream and in turns, in time proportional to its length for any input.
 *
 * @throws the signal's reason when it aborts.
 */
export async function htmlToMarkdown(
  html: string,
  options: { readonly url: string; readonly signal: AbortSignal; readonly maxCharacters?: number },
): Promise<MarkdownPage> {
  const blocks = createBlockWriter(options.maxCharacters ?? 1_000_000);
  const handler = createPageHandler(options.url, blocks);
  const parser = new Parser(handler, { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true });
  let at = 0;
  for (; at < html.length && !blocks.isFull && !handler.isTooDeep; at += turnCharacters) {
    if (at > 0) await setImmediate();
    options.signal.throwIfAborted();
    parser.write(html.slice(at, at + turnCharacters));
  }
  // With too many open elements, `end` would be slow, because it closes them one by one.
  if (!handler.isTooDeep) parser.end();
  handler.finish();
  const regions = chooseRegions((region) => blocks.sizeOf(region));
  return {
    title: handler.title,
    markdown: blocks.render(regions),
    isPartial: [...everything].some((region) => !regions.has(region) && blocks.sizeOf(region) > 0),
    isCut: blocks.isFull || handler.isTooDeep,
  };
}

/** Returns the main part of a page: the part that the page marks as such, unless it is nearly empty. */
function chooseRegions(sizeOf: (region: Region) => number): ReadonlySet<Region> {
  const [main, article, body, around] = [sizeOf('main'), sizeOf('article'), sizeOf('body'), sizeOf('around')];
  if (main >= enoughForPage) return new Set<Region>(['main']);
  if (article >= enoughForPage && article >= body) return new Set<Region>(['article']);
  if (main + article + body >= Math.min(enoughForPage, around)) return new Set<Region>(['main', 'article', 'body']);
  return everything;
}
