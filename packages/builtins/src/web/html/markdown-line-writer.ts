/** An inline element of the current line: a link, emphasis or code. */
interface Span {
  readonly kind: string;
  readonly at: number;
  wrap(inner: string): string;
}

/** Writes one line of running text and collapses whitespace. Inline elements may continue on further lines. */
export interface LineWriter {
  text(text: string): void;
  /** Ends a line inside a paragraph. */
  breakLine(): void;
  open(kind: string, wrap: (inner: string) => string): void;
  /** Ends the innermost inline element of a kind, and the elements inside it. */
  close(kind: string): void;
  isIn(kind: string): boolean;
  /** Returns the line so far with all inline elements closed. Open elements continue on the next line. */
  take(): string;
}

/** Maximum nesting. Deeper inline elements are written without marks. */
const deepest = 8;

/** Creates a writer with an empty line. */
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
    // Markdown ignores a mark next to whitespace.
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

/** Encloses code in backticks, with one more than the longest run of backticks in it. */
export function quoteCode(code: string): string {
  const fence = '`'.repeat(findLongestRun(code) + 1);
  return fence.length === 1 ? `\`${code}\`` : `${fence} ${code} ${fence}`;
}

/** Encloses code in fences that are longer than any fence in it. */
export function fenceCode(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, findLongestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function findLongestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
