import { doubledApostrophe, doubledQuote, isDoubledQuoteAt, type Delimiter } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import { codeAt, findFrom } from '../../machine/machine.ts';
import { beginString } from '../../machine/string-token.ts';
import { type StringToken } from '../../machine/machine.ts';

const opening = (role: StringToken['role'], delimiter: Delimiter): Fix => ({
  code: 'doubled-quotes',
  risk: 'safe',
  attempt: (machine) => {
    const { at, text } = machine;
    const quote = delimiter.open[0] ?? '';
    if (!text.startsWith(delimiter.open, at)) return undefined;
    // Told by the next two quotes, which have to be there.
    if (!machine.ended) codeAt(machine, findFrom(machine, quote, at + 2) + 1);
    if (machine.needsMore || !isDoubledQuoteAt(text, at)) return undefined;
    beginString(machine, role, delimiter);
    return 'readString';
  },
});

/** `{""a"": 1}` */
export const doubledQuotesKey: Fix = opening('key', doubledQuote);

/** `[""a""]` */
export const doubledQuotesValue: Fix = opening('value', doubledQuote);

/** `{''a'': 1}` */
export const doubledApostrophesKey: Fix = opening('key', doubledApostrophe);

/** `[''a'']` */
export const doubledApostrophesValue: Fix = opening('value', doubledApostrophe);
