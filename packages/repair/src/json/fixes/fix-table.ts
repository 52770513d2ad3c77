import { rowWithoutCloser, strayCloser, transposedClosers, wrongCloser } from './fix-closers.ts';
import * as keys from './fix-keys.ts';
import * as punctuation from './fix-punctuation.ts';
import * as strings from './fix-strings.ts';
import { listWithoutOpener, rowsWithoutList } from './lost-opener.ts';
import { barePhrase, unquotedString } from './unquoted-string.ts';
import * as values from './fix-values.ts';
import type { Fix } from './fix.ts';

// The list of all fixes. Each array applies at one position of the grammar. A fix that matches fewer texts comes first.

/** For two quotes at the beginning of a key or a value. */
export const quotedFixes: readonly Fix[] = [strings.otherQuotes];

/** For the position of a key or a closing brace. */
export const keyFixes: readonly Fix[] = [
  keys.positionalArgument,
  keys.unquotedKey,
  strings.prefixedString,
  strings.otherQuotes,
  punctuation.extraComma,
  punctuation.colonBeforeKey,
  punctuation.doubledBrace,
  rowsWithoutList,
  rowWithoutCloser,
  values.thousands,
  punctuation.strayWord,
  keys.numbersInBraces,
  punctuation.ellipsis,
  punctuation.cutByWrapper,
  wrongCloser,
];

/** For the position of a colon. */
export const colonFixes: readonly Fix[] = [
  punctuation.wrongColon,
  values.commaForColon,
  keys.keyAlone,
  punctuation.secondKeyQuote,
  punctuation.missingColon,
];

/** For the position of a value. */
export const valueFixes: readonly Fix[] = [
  strings.otherQuotes,
  strings.prefixedString,
  values.otherWords,
  values.otherNumbers,
  values.commaBeforeValue,
  values.missingValue,
  punctuation.extraColon,
  punctuation.extraComma,
  punctuation.tuple,
  punctuation.fullWidthOpener,
  punctuation.ellipsis,
  punctuation.cutByWrapper,
  listWithoutOpener,
  strayCloser,
  wrongCloser,
  keys.bareKeyInList,
  values.typedValue,
  unquotedString,
];

/** For the position of a comma or a closer. */
export const separatorFixes: readonly Fix[] = [
  punctuation.wrongComma,
  strings.joinStrings,
  keys.keyInList,
  punctuation.secondQuote,
  punctuation.missingComma,
  punctuation.strayQuote,
  punctuation.ellipsis,
  barePhrase,
  rowWithoutCloser,
  transposedClosers,
  listWithoutOpener,
  wrongCloser,
];
