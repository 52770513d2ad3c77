import { QUOTE } from '../../text/characters.ts';
import { doubledQuote, isDoubledQuoteAt } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import { codeAt, findFrom } from '../../machine/machine.ts';
import { beginString } from '../../machine/string-token.ts';
import { type StringToken } from '../../machine/machine.ts';

const opening = (role: StringToken['role']): Fix => ({
  code: 'doubled-quotes',
  risk: 'safe',
  attempt: (machine, code) => {
    const { at, text } = machine;
    if (code !== QUOTE || text.charCodeAt(at + 1) !== QUOTE) return undefined;
    // Told by the next two quotes, which have to be there.
    if (!machine.ended) codeAt(machine, findFrom(machine, '"', at + 2) + 1);
    if (machine.starved || !isDoubledQuoteAt(text, at)) return undefined;
    beginString(machine, role, doubledQuote);
    return 'readString';
  },
});

/** `{""a"": 1}` */
export const doubledQuotesKey: Fix = opening('key');

/** `[""a""]` */
export const doubledQuotesValue: Fix = opening('value');
