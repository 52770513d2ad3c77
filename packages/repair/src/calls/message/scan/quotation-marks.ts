import type { GrowingText, Reading } from '../../source/growing-text.ts';

const maxQuotationLength = 500;

/** Opening marks of quotations, with the marks that may close them. */
const closersByOpener: Readonly<Record<string, string>> = {
  '\u201c': '\u201d',
  '\u201e': '\u201c\u201d',
  '\u00ab': '\u00bb',
  '\u00bb': '\u00ab',
  '\u2039': '\u203a',
  '\u2018': '\u2019',
  '\u201a': '\u2018\u2019',
  '\u300c': '\u300d',
  '\u300e': '\u300f',
  '"': '"',
  "'": "'",
};

const markPattern = /["'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c-\u300f]/g;

/**
 * Returns the marks that may end the quotation around an offset in prose. Returns undefined if no quotation is open in
 * the paragraph, if code is between, or if the whole message is a quotation. `end`: the end of the latest call.
 */
export function openQuotation({ text }: GrowingText, at: number, end: number): string | undefined {
  const from = Math.max(0, end, at - maxQuotationLength);
  const nearby = text.slice(from, at);
  const paragraph = nearby.slice(nearby.lastIndexOf('\n\n') + 1);
  // After a call or other code, straight marks do not show whether they open or close a quotation.
  const codeEnd = Math.max(...['}', ']', ')'].map((mark) => paragraph.lastIndexOf(mark))) + 1;
  let open: string | undefined;
  let openAt = 0;
  for (const { 0: mark, index } of paragraph.matchAll(markPattern)) {
    if (isStraight(mark) && index < codeEnd) continue;
    if (open?.includes(mark) === true && (!isStraight(mark) || endsWord(paragraph, index))) open = undefined;
    else if (open === undefined && (!isStraight(mark) || beginsWord(paragraph, index))) {
      open = closersByOpener[mark];
      openAt = index;
    }
  }
  const isProse = from > 0 || /\p{L}/u.test(text.slice(0, at - paragraph.length + openAt));
  return isProse || /\p{L}/u.test(paragraph.slice(openAt)) ? open : undefined;
}

/** Returns the end of the quotation around an offset, if it is in the same paragraph. */
export function* quotationEnd(source: GrowingText, end: number, closers: string): Reading<number | undefined> {
  for (let at = end; at - end < maxQuotationLength && (yield* source.hasCharacter(at)); at += 1) {
    const character = source.text[at] ?? '';
    if (character === '\n' && source.text[at - 1] === '\n') return undefined;
    if (!closers.includes(character)) continue;
    if (!isStraight(character)) return at;
    yield* source.hasCharacter(at + 1);
    if (endsWord(source.text, at)) return at;
  }
  return undefined;
}

function isStraight(mark: string): boolean {
  return mark === '"' || mark === "'";
}

function beginsWord(text: string, index: number): boolean {
  return index === 0 || /[\s([{:;,=*_>\u2014-]/.test(text.charAt(index - 1));
}

function endsWord(text: string, index: number): boolean {
  return /^[\s.,;:!?)\]}>*_]?$/.test(text.charAt(index + 1));
}
