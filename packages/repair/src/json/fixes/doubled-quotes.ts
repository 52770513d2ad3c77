import { BACKSLASH, END, QUOTE, isNamePart, isNameStart } from '../characters.ts';
import type { Delimiter } from '../delimiters.ts';
import type { Fix } from '../fix.ts';
import { codeAt } from '../machine.ts';
import { readString } from '../states/read-string.ts';
import { beginString, type StringToken } from '../states/string-token.ts';

const doubled: Delimiter = { open: '""', closers: [QUOTE, QUOTE], close: '""', code: 'doubled-quotes' };

const opening = (role: StringToken['role']): Fix => ({
  code: 'doubled-quotes',
  risk: 'safe',
  attempt: (machine, code) => {
    const { at } = machine;
    if (code !== QUOTE || codeAt(machine, at + 1) !== QUOTE) return undefined;
    const next = codeAt(machine, at + 2);
    const holdsText = isNameStart(next) || isNamePart(next) || next === BACKSLASH || (next > 0x20 && next < 0x30);
    const isOpened =
      next !== END && next !== QUOTE && holdsText && next !== 0x2c && machine.text.includes('""', at + 2);
    if (!isOpened) return undefined;
    beginString(machine, role, doubled);
    return readString;
  },
});

/** `{""a"": 1}` */
export const doubledQuotesKey: Fix = opening('key');

/** `[""a""]` */
export const doubledQuotesValue: Fix = opening('value');
