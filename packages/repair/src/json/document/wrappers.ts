import { isNamePart, isNameStart, isWhitespace } from '../text/characters.ts';
import { reasoningEnd } from '../text/reasoning.ts';
import type { Repair, RepairRisk } from '../result/repair-result.ts';

/** Something around a value that is not part of it. */
interface Wrapper {
  readonly code: string;
  readonly risk: RepairRisk;
  /** Where it ends when it begins at `at`, at most at `limit`; -1 when something else stands there. */
  readonly end: (text: string, at: number, limit: number) => number;
}

const isOddSpace = (code: number): boolean => code === 0xfeff || code === 0xa0 || (code >= 0x2000 && code <= 0x200f);

const byteOrderMark: Wrapper = {
  code: 'odd-space',
  risk: 'safe',
  end: (text, at, limit) => {
    let end = at;
    while (end < limit && isOddSpace(text.charCodeAt(end))) end += 1;
    return end > at ? end : -1;
  },
};

const reasoning: Wrapper = {
  code: 'reasoning',
  risk: 'safe',
  end: (text, at, limit) => {
    const end = reasoningEnd(text, at);
    return end > limit ? -1 : end;
  },
};

/** Three backticks or tildes with a language after them. */
const fence: Wrapper = {
  code: 'code-fence',
  risk: 'safe',
  end: (text, at, limit) => {
    const mark = text.slice(at, at + 3);
    if (mark !== '```' && mark !== '~~~') return -1;
    let end = at + 3;
    while (end < limit && (isNamePart(text.charCodeAt(end)) || text[end] === mark[0])) end += 1;
    return end;
  },
};

/** `<tag>`, `</tag>`, `<|token|>`, `[TOKEN]`. */
const tag: Wrapper = {
  code: 'tag',
  risk: 'safe',
  end: (text, at, limit) => {
    const opener = text[at];
    if (opener !== '<' && opener !== '[') return -1;
    const end = text.indexOf(opener === '<' ? '>' : ']', at);
    if (end === -1 || end >= limit || end - at > 200) return -1;
    const isTag = opener === '<' ? /^<\/?[|\uff5c!a-zA-Z]/ : /^\[\/?[A-Z_]{3,}\]/;
    return isTag.test(text.slice(at, end + 1)) ? end + 1 : -1;
  },
};

/** `name =`, `const name =`, `return`, `name(`, before the value. */
const statement: Wrapper = {
  code: 'statement',
  risk: 'safe',
  end: (text, at, limit) => {
    let end = at;
    for (let words = 0; words < 4; words += 1) {
      const start = end;
      while (end < limit && (isNamePart(text.charCodeAt(end)) || text[end] === ':')) end += 1;
      if (start === end || !(isNameStart(text.charCodeAt(start)) || words > 0)) return -1;
      if (text.slice(start, end) === 'return') return end;
      while (end < limit && isBlank(text[end])) end += 1;
      if (text[end] === '(' && end + 1 <= limit && words < 2) return end + 1;
      if (text[end] === '=' && text[end + 1] !== '=') return end + 1;
    }
    return -1;
  },
};

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** A quote around the whole document. */
const outerQuote: Wrapper = {
  code: 'outer-quote',
  risk: 'safe',
  end: (text, at) => ('"\'`'.includes(text[at] ?? 'x') ? at + 1 : -1),
};

/** `)` and `;` that end the statement around a value. */
const statementEnd: Wrapper = {
  code: 'statement',
  risk: 'safe',
  end: (text, at) => (text[at] === ')' || text[at] === ';' ? at + 1 : -1),
};

const extraCloser: Wrapper = {
  code: 'extra-closer',
  risk: 'lossy',
  end: (text, at) => (text[at] === '}' || text[at] === ']' || text[at] === ',' ? at + 1 : -1),
};

const before: readonly Wrapper[] = [byteOrderMark, reasoning, fence, tag, statement, outerQuote];
const after: readonly Wrapper[] = [byteOrderMark, fence, tag, statementEnd, outerQuote, extraCloser];

/** Says what stands before a value that begins at `to`. */
export function describeBefore(text: string, from: number, to: number): Repair[] {
  return describe(text, from, to, before, 'prose-before');
}

/** Says what stands after a value that ends at `from`. */
export function describeAfter(text: string, from: number): Repair[] {
  return describe(text, from, text.length, after, 'prose-after');
}

function describe(text: string, from: number, to: number, wrappers: readonly Wrapper[], rest: string): Repair[] {
  const repairs: Repair[] = [];
  let at = from;
  for (;;) {
    while (at < to && isWhitespace(text.charCodeAt(at))) at += 1;
    if (at >= to) return repairs;
    const here = at;
    const wrapper = wrappers.find((candidate) => candidate.end(text, here, to) > here);
    const end = wrapper === undefined ? to : Math.min(to, wrapper.end(text, here, to));
    const { code, risk } = wrapper ?? { code: rest, risk: 'lossy' };
    const found = text.slice(at, Math.min(end, at + 60));
    repairs.push({ code, start: at, end, found, assumed: '', risk });
    at = end;
  }
}
