import type { Region } from './element-roles.ts';

/** The block around a line: a quotation, or a list item with its marker. */
export type Container =
  | { readonly kind: 'quote' }
  | { readonly kind: 'item'; readonly marker: string; isUsed: boolean };

/** Collects the blocks of a page by region. */
export interface BlockWriter {
  add(block: string, region: Region): void;
  enter(container: Container): void;
  leave(kind: Container['kind']): void;
  /** Whether the size limit is reached. */
  readonly isFull: boolean;
  /** Returns the blocks of the given regions, in order. */
  render(regions: ReadonlySet<Region>): string;
  /** Returns the number of text characters in a region. */
  sizeOf(region: Region): number;
}

interface Block {
  readonly text: string;
  readonly region: Region;
  readonly isItem: boolean;
}

/** Maximum indentation. Deeper blocks are not indented further. */
const deepest = 12;

/** Creates a writer with a maximum number of characters. */
export function createBlockWriter(maxCharacters: number): BlockWriter {
  const blocks: Block[] = [];
  const containers: Container[] = [];
  const sizes: Record<Region, number> = { main: 0, article: 0, body: 0, around: 0 };
  let characters = 0;
  let isFull = false;

  const place = (block: string): string => {
    const inner = containers.slice(0, deepest);
    const first = inner.map((container) => firstPrefix(container)).join('');
    const rest = inner
      .map((container) => (container.kind === 'quote' ? '> ' : ' '.repeat(container.marker.length)))
      .join('');
    for (const container of inner) if (container.kind === 'item') container.isUsed = true;
    const [head = '', ...lines] = block.split('\n');
    return [first + head, ...lines.map((line) => (line === '' ? rest.trimEnd() : rest + line))].join('\n');
  };

  return {
    add(block, region) {
      if (block === '' || isFull) return;
      sizes[region] += block.length;
      const text = place(block);
      characters += text.length;
      if (characters > maxCharacters) isFull = true;
      else blocks.push({ text, region, isItem: containers.some(({ kind }) => kind === 'item') });
    },
    enter: (container) => void containers.push(container),
    leave(kind) {
      const index = containers.findLastIndex((container) => container.kind === kind);
      if (index !== -1) containers.splice(index);
    },
    get isFull() {
      return isFull;
    },
    render(regions) {
      const pieces: string[] = [];
      let before: Block | undefined;
      for (const block of blocks) {
        if (!regions.has(block.region)) continue;
        if (before) pieces.push(before.isItem && block.isItem ? '\n' : '\n\n');
        pieces.push(block.text);
        before = block;
      }
      return pieces.join('');
    },
    sizeOf: (region) => sizes[region],
  };
}

function firstPrefix(container: Container): string {
  if (container.kind === 'quote') return '> ';
  return container.isUsed ? ' '.repeat(container.marker.length) : container.marker;
}
