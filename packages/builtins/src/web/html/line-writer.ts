/** A span of the current line: a link, emphasis or code. */
interface Span {
  readonly kind: string;
  readonly at: number;
  wrap(inner: string): string;
}

/** Writes one line of running text with blanks collapsed; spans may continue on further lines. */
export interface LineWriter {
  text(text: string): void;
  /** Ends a line within a paragraph. */
  breakLine(): void;
  open(kind: string, wrap: (inner: string) => string): void;
  /** Ends the innermost span of a kind, and the spans inside it. */
  close(kind: string): void;
  isIn(kind: string): boolean;
  /** The line so far with all spans closed; open spans continue on the next line. */
  take(): string;
}

/** Deeper spans are written without marks. */
const deepest = 8;

/** Makes a writer whose line is empty. */
export function createLineWriter(): LineWriter {
  let pieces: string[] = [];
  let spans: Span[] = [];
  let endsBlank = true;

  const put = (piece: string): void => {
    if (piece === '') return;
    pieces.push(piece);
    endsBlank = /\s$/.test(piece);
  };
  const shut = (span: Span): void => {
    const inner = pieces.splice(span.at).join('');
    const plain = inner.trim();
    // Markdown ignores a mark beside a blank.
    const wrapped = plain === '' ? inner : inner.replace(plain, () => span.wrap(plain));
    if (wrapped !== '') pieces.push(wrapped);
  };

  return {
    text(text) {
      const collapsed = text.replace(/[\s]+/g, (blanks) => (blanks.includes('\u00a0') ? '\u00a0' : ' '));
      put(endsBlank ? collapsed.replace(/^ /, '') : collapsed);
    },
    breakLine() {
      if (pieces.length > 0) put('\n');
    },
    open(kind, wrap) {
      if (spans.length < deepest) spans.push({ kind, at: pieces.length, wrap });
    },
    close(kind) {
      const index = spans.findLastIndex((span) => span.kind === kind);
      if (index === -1) return;
      for (const span of spans.slice(index).toReversed()) shut(span);
      spans = spans.slice(0, index);
    },
    isIn: (kind) => spans.some((span) => span.kind === kind),
    take() {
      for (const span of spans.toReversed()) shut(span);
      spans = spans.map((span) => ({ ...span, at: 0 }));
      const line = pieces
        .join('')
        .replace(/ *\n */g, '\n')
        .trim();
      pieces = [];
      endsBlank = true;
      return line;
    },
  };
}

/** Puts backticks around code, more of them than it holds in a row. */
export function quoteCode(code: string): string {
  const fence = '`'.repeat(findLongestRun(code) + 1);
  return fence.length === 1 ? `\`${code}\`` : `${fence} ${code} ${fence}`;
}

/** A block of code between fences that nothing in it can be taken for. */
export function fenceCode(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, findLongestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function findLongestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
