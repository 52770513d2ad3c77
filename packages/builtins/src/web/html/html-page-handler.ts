import type { BlockWriter } from './markdown-block-writer.ts';
import { blocks as blockNames, emphasis, isHidden, regionOf, unseen, type Region } from './element-roles.ts';
import { hidesElement } from './hides-element.ts';
import { applyVariables, inkWithin, isLegible, plainInk, type Ink } from './text-ink.ts';
import { createLineWriter, fenceCode, quoteCode } from './markdown-line-writer.ts';
import { readDeclarations } from './read-declarations.ts';
import { createTableWriter, type TableWriter } from './markdown-table-writer.ts';

/** Receives a page tag by tag and writes it as blocks. */
export interface PageHandler {
  onopentag(name: string, attributes: Readonly<Record<string, string>>): void;
  onclosetag(name: string): void;
  ontext(text: string): void;
  /** Writes the remaining open blocks. */
  finish(): void;
  readonly title: string;
  /** Whether elements are nested deeper than in any real page. */
  readonly isTooDeep: boolean;
}

/** An open element that changes how its content is read. */
interface Frame {
  readonly name: string;
  readonly isUnseen: boolean;
  readonly region: Region;
  readonly ink: Ink;
}

/** Maximum number of such elements, because closing an element searches all open ones. */
const deepest = 1_000;
const maxTitleLength = 300;
const maxUrlLength = 2_000;

/** Creates a handler for the page of a URL. */
export function createPageHandler(url: string, blocks: BlockWriter): PageHandler {
  const line = createLineWriter();
  const frames: Frame[] = [];
  const lists: { readonly isOrdered: boolean; next: number }[] = [];
  let base = url;
  let title = '';
  let isTitle = false;
  let isTooDeep = false;
  let unseenDepth = 0;
  let hasStyleSheets = false;
  let heading = 0;
  let code: { pieces: string[]; language: string } | undefined;
  let table: { readonly writer: TableWriter; depth: number; isHead: boolean; columns: number } | undefined;
  let cell: string[] | undefined;

  const region = (): Region => frames.at(-1)?.region ?? 'body';
  const isReadable = (): boolean => isLegible(frames.at(-1)?.ink ?? plainInk, hasStyleSheets);
  const emit = (block: string): void => {
    if (block === '') return;
    if (cell) cell.push(block);
    else blocks.add(block, region());
  };
  const flush = (): void => {
    const text = line.take();
    if (text === '') return;
    const isHeading = heading > 0 && !cell;
    emit(isHeading ? `${'#'.repeat(heading)} ${text.replaceAll('\n', ' ')}` : escapeStart(text));
  };
  const resolve = (given: string | undefined): string | undefined => {
    const found = given === undefined || given.length > maxUrlLength ? null : URL.parse(given.trim(), base);
    return found && /^(?:https?|mailto|ftp):$/.test(found.protocol)
      ? found.href.replaceAll('(', '%28').replaceAll(')', '%29')
      : undefined;
  };

  const openTable = (): void => {
    if (table) table.depth += 1;
    else table = { writer: createTableWriter(), depth: 1, isHead: false, columns: 1 };
  };
  const endCell = (): void => {
    if (!table || !cell) return;
    const text = cell.join('\n');
    cell = undefined;
    table.writer.addCell(text, table.isHead, table.columns);
  };
  const closeTable = (): void => {
    if (!table || (table.depth -= 1) > 0) return;
    endCell();
    const { writer } = table;
    table = undefined;
    for (const block of writer.render()) emit(block);
  };

  const openers: Readonly<Record<string, (attributes: Readonly<Record<string, string>>) => void>> = {
    br: () => (code ? void code.pieces.push('\n') : line.breakLine()),
    hr: () => emit('---'),
    img({ alt, src }) {
      const text = alt?.replace(/\s+/g, ' ').trim();
      if (text === undefined || text === '' || code || !isReadable()) return;
      const target = src?.startsWith('data:') === true ? undefined : resolve(src);
      line.text(target === undefined ? text : `![${escapeLabel(text)}](${target})`);
    },
    a({ href }) {
      const target = href?.startsWith('#') === true ? undefined : resolve(href);
      line.close('a');
      line.open('a', (inner) => (target === undefined ? inner : `[${escapeLabel(inner)}](${target})`));
    },
    blockquote: () => blocks.enter({ kind: 'quote' }),
    ul: () => void lists.push({ isOrdered: false, next: 1 }),
    menu: () => void lists.push({ isOrdered: false, next: 1 }),
    ol({ start }) {
      const first = Number.parseInt(start ?? '1', 10);
      lists.push({ isOrdered: true, next: first >= 0 && first < 1e6 ? first : 1 });
    },
    li() {
      const list = lists.at(-1);
      if (!list) lists.push({ isOrdered: false, next: 1 });
      const marker = list?.isOrdered === true ? `${list.next++}. ` : '- ';
      blocks.enter({ kind: 'item', marker, isUsed: false });
    },
    pre(attributes) {
      code ??= { pieces: [], language: languageOf(attributes) };
    },
    code(attributes) {
      if (code) code.language ||= languageOf(attributes);
      else line.open('code', quoteCode);
    },
    dt: () => line.open('dt', (inner) => `**${inner}**`),
    table: openTable,
    tr() {
      if (table?.depth !== 1) return;
      endCell();
      table.writer.startRow();
    },
    td: ({ colspan }) => openCell(false, colspan),
    th: ({ colspan }) => openCell(true, colspan),
    base({ href }) {
      if (base === url) base = (href === undefined ? undefined : URL.parse(href, url)?.href) ?? url;
    },
  };
  const openCell = (isHead: boolean, colspan: string | undefined): void => {
    if (table?.depth !== 1) return;
    endCell();
    cell = [];
    table.isHead = isHead;
    table.columns = Math.max(1, Number.parseInt(colspan ?? '1', 10) || 1);
  };
  const closers: Readonly<Record<string, () => void>> = {
    a: () => line.close('a'),
    blockquote: () => blocks.leave('quote'),
    ul: () => void lists.pop(),
    menu: () => void lists.pop(),
    ol: () => void lists.pop(),
    li: () => blocks.leave('item'),
    code: () => line.close('code'),
    dt: () => line.close('dt'),
    pre() {
      if (!code) return;
      const text = code.pieces
        .join('')
        .replace(/^\r?\n/, '')
        .trimEnd();
      if (text !== '') emit(fenceCode(text, code.language));
      code = undefined;
    },
    td: () => void (table?.depth === 1 && endCell()),
    th: () => void (table?.depth === 1 && endCell()),
    table: closeTable,
  };

  return {
    onopentag(name, attributes) {
      hasStyleSheets ||= isStyleSheet(name, attributes);
      const outer = frames.at(-1)?.ink ?? plainInk;
      const style = attributes['style'];
      const { ink, declarations } = applyVariables(outer, style === undefined ? [] : readDeclarations(style));
      const isUnseen = unseen.has(name) || isHidden(name, attributes) || hidesElement(name, declarations);
      if (isUnseen) unseenDepth += 1;
      if (blockNames.has(name) && !code) flush();
      frames.push({
        name,
        isUnseen,
        region: regionOf(name, attributes, region()) ?? region(),
        ink: inkWithin(ink, name, attributes, declarations),
      });
      if (frames.length > deepest) isTooDeep = true;
      if (name === 'title' && title === '') isTitle = true;
      // The base URL of links is in the head.
      if (name === 'base' || unseenDepth === 0) {
        if (/^h[1-6]$/.test(name)) heading = Number(name[1]);
        const mark = Object.hasOwn(emphasis, name) && !code ? emphasis[name] : undefined;
        if (mark !== undefined) line.open(name, (inner) => `${mark}${inner}${mark}`);
        if (Object.hasOwn(openers, name)) openers[name]!(attributes);
      }
    },
    onclosetag(name) {
      if (unseenDepth === 0) {
        if (name === 'pre' || (blockNames.has(name) && !code)) flush();
        if (Object.hasOwn(emphasis, name)) line.close(name);
        if (Object.hasOwn(closers, name)) closers[name]!();
        if (/^h[1-6]$/.test(name)) heading = 0;
      }
      if (name === 'title') isTitle = false;
      const frame = frames.pop();
      if (frame?.isUnseen === true) unseenDepth -= 1;
    },
    ontext(text) {
      if (isTitle && title.length < maxTitleLength) title += text;
      if (unseenDepth > 0 || !isReadable()) return;
      if (code) code.pieces.push(text);
      else line.text(text);
    },
    finish() {
      if (code) closers['pre']!();
      flush();
      if (table) {
        table.depth = 1;
        closeTable();
      }
    },
    get title() {
      return title.replace(/\s+/g, ' ').trim().slice(0, maxTitleLength);
    },
    get isTooDeep() {
      return isTooDeep;
    },
  };
}

/** Returns whether an element may change the default colours of the page. */
function isStyleSheet(name: string, { rel, name: about }: Readonly<Record<string, string>>): boolean {
  if (name === 'link') return /(?:^|\s)stylesheet(?:\s|$)/i.test(rel ?? '');
  return name === 'style' || (name === 'meta' && about?.trim().toLowerCase() === 'color-scheme');
}

function languageOf(attributes: Readonly<Record<string, string>>): string {
  return /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,30})/.exec(attributes['class'] ?? '')?.[1] ?? '';
}

function escapeLabel(text: string): string {
  return text.replace(/[[\]]/g, '\\$&').replaceAll('\n', ' ');
}

/** Escapes text that Markdown would read as a heading, a list or a fence. */
function escapeStart(text: string): string {
  return text.replace(/^(?=#{1,6} |[-+*] |>|```|~~~)/gm, '\\').replace(/^(\d{1,9})([.)]) /gm, '$1\\$2 ');
}
