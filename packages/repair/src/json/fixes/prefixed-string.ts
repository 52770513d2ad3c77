import { APOSTROPHE, QUOTE, isNameStart } from '../characters.ts';
import { doubleQuote, otherDelimiterAt, type Delimiter } from '../delimiters.ts';
import type { Fix } from '../fix.ts';
import { codeAt, note } from '../machine.ts';
import { readString } from '../states/read-string.ts';
import { beginString } from '../states/string-token.ts';
import { wordEnd } from '../states/read-word.ts';

const PREFIXES = new Set(['u', 'b', 'r', 'f', 'rb', 'br', 'U', 'B', 'R', 'F', 'Rb', 'RB', 'rf', 'fr']);

/** A string with Python's letters before it. `[u'a', r"\d"]` */
export const prefixedString: Fix = {
  code: 'string-prefix',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    if (!isNameStart(code)) return undefined;
    const { at, text } = machine;
    const quoteAt = wordEnd(machine, at);
    const quote = codeAt(machine, quoteAt);
    const prefix = text.slice(at, quoteAt);
    if (machine.starved || (quote !== QUOTE && quote !== APOSTROPHE) || !PREFIXES.has(prefix)) return undefined;
    note(machine, fix.code, fix.risk, at, quoteAt, '');
    const delimiter = otherDelimiterAt(text, quoteAt) ?? doubleQuote;
    const raw: Delimiter = prefix.toLowerCase().includes('r') ? { ...delimiter, isRaw: true } : delimiter;
    machine.at = quoteAt;
    beginString(machine, 'value', raw);
    return readString;
  },
};
