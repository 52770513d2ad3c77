import * as char from '../../text/char.ts';
import { isNameStart } from '../../text/characters.ts';
import { delimiterAt, type Delimiter } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import { followAt } from '../../lookahead/follow.ts';
import { certain } from '../../lookahead/key-at.ts';
import { codeAt, note } from '../../machine/machine.ts';
import { wordEnd } from '../../actions/words.ts';
import { beginString } from '../../machine/string-token.ts';
import { type StringToken } from '../../machine/machine.ts';

const prefixes = new Set(['u', 'b', 'r', 'f', 'rb', 'br', 'rf', 'fr']);

const opening = (role: StringToken['role']): Fix => ({
  code: 'string-prefix',
  risk: 'safe',
  attempt: (machine, code, fix) => {
    if (!isNameStart(code)) return undefined;
    const { at, text } = machine;
    const quoteAt = wordEnd(machine, at);
    const quote = codeAt(machine, quoteAt);
    const prefix = text.slice(at, quoteAt).toLowerCase();
    if (machine.needsMore || (quote !== char.quote && quote !== char.apostrophe) || !prefixes.has(prefix))
      return undefined;
    // `fr", "next": `: the quote ends a text that has lost the one before it.
    const level = machine.frames.length - 1;
    if (role === 'value' && followAt(machine, quoteAt + 1, level, true) === certain) return undefined;
    if (machine.needsMore) return undefined;
    note(machine, fix.code, fix.risk, at, quoteAt, '');
    const delimiter = delimiterAt(text, quoteAt);
    const marked: Delimiter = prefix.includes('r') ? { ...delimiter, isRaw: true } : delimiter;
    machine.at = quoteAt;
    beginString(machine, role, marked);
    return 'readString';
  },
});

/** A key with Python's letters before it. `{u'a': 1}` */
export const prefixedKey: Fix = opening('key');

/** A string with Python's letters before it. `[u'a', r"\d"]` */
export const prefixedString: Fix = opening('value');
