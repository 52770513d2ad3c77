import { QUOTE } from '../characters.ts';
import { doubledQuote, isDoubledQuoteAt } from '../delimiters.ts';
import type { Fix } from '../fix.ts';
import { readString } from '../states/read-string.ts';
import { beginString, type StringToken } from '../states/string-token.ts';

const opening = (role: StringToken['role']): Fix => ({
  code: 'doubled-quotes',
  risk: 'safe',
  attempt: (machine, code) => {
    const { at, text } = machine;
    if (code !== QUOTE || text.charCodeAt(at + 1) !== QUOTE || !isDoubledQuoteAt(text, at)) return undefined;
    beginString(machine, role, doubledQuote);
    return readString;
  },
});

/** `{""a"": 1}` */
export const doubledQuotesKey: Fix = opening('key');

/** `[""a""]` */
export const doubledQuotesValue: Fix = opening('value');
