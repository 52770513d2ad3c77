import type { Parameter } from '../syntax/shell-word.ts';

/** A parameter and its end. */
export interface ReadParameter {
  readonly parameter: Parameter;
  /** The text after the name inside the braces: a subscript, an operator, an operand. */
  readonly suffix: string;
  /** `${!name}`: the value is itself a name. */
  readonly isIndirect: boolean;
  /** Index after the parameter. */
  readonly end: number;
  /** False if the parameter is not closed, or if quotes make its end uncertain. */
  readonly isSure: boolean;
}

const plain = /^\$([A-Za-z_]\w*|[0-9@*#?$!-])/;

/** Reads `$name` at `from`. Returns undefined if the dollar sign is literal. */
export function readPlainParameter(text: string, from: number): ReadParameter | undefined {
  const name = plain.exec(text.slice(from, from + 200))?.[1];
  if (name === undefined) return undefined;
  // The match covers only the beginning of the name, so read on to its end.
  let end = from + 1 + name.length;
  while (name.length > 1 && end < text.length && /\w/.test(text[end]!)) end += 1;
  return {
    parameter: { name: text.slice(from + 1, end), isBraced: false, operator: '', operand: '' },
    suffix: '',
    isIndirect: false,
    end,
    isSure: true,
  };
}

const expansion = /^(#?)(!?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(\[[^\]]*\])?(:?[-=+?]|)([^]*)$/;

/** Reads `${…}` at `from`. */
export function readBracedParameter(text: string, from: number): ReadParameter {
  const end = findBraceEnd(text, from);
  const inner = text.slice(from + 2, end.index - 1);
  const [, length = '', indirect = '', name = '', subscript, operator = '', operand = ''] = expansion.exec(inner) ?? [];
  const isPlain = indirect === '' && subscript === undefined && (operator !== '' || operand === '');
  const isLength = length !== '' && indirect === '' && operator === '' && operand === '';
  const known = isLength ? 'length' : length === '' && isPlain ? operator : 'other';
  return {
    parameter: { name, isBraced: true, operator: name === '' ? 'other' : known, operand },
    suffix: name === '' ? '' : inner.slice(length.length + indirect.length + name.length),
    isIndirect: indirect !== '',
    end: end.index,
    // Newer shells run the commands in `${ commands; }`.
    isSure: end.isSure && name !== '',
  };
}

/**
 * Returns the index after the brace that closes `${` at `from`. Braces nest only as `${`. The end is uncertain if there
 * are other or quoted braces inside, because their meaning depends on the context and on the shell.
 */
function findBraceEnd(text: string, from: number): { readonly index: number; readonly isSure: boolean } {
  let level = 0;
  let hasOtherBrace = false;
  let quote = '';
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '\\') {
      hasOtherBrace ||= /[{}]/.test(text[at + 1] ?? '');
      at += 1;
    } else if (character === quote) quote = '';
    else if (quote === '' && (character === "'" || character === '"' || character === '`')) quote = character;
    else if (character === '{' || character === '}') {
      const isBare = character === '{' && text[at - 1] !== '$';
      if (quote !== '' || isBare) hasOtherBrace = true;
      if (!isBare) level += character === '{' ? 1 : -1;
      if (level === 0) return { index: at + 1, isSure: !hasOtherBrace && quote === '' };
    }
  }
  return { index: text.length, isSure: false };
}
