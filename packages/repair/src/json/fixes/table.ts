import { strayCloser, transposedClosers, wrongCloser } from './closers.ts';
import { bareKeyInList, keyInList, membersInList, positionalArgument, unquotedKey } from './keys.ts';
import * as punctuation from './punctuation.ts';
import * as strings from './strings.ts';
import { barePhrase, unquotedString } from './unquoted-string.ts';
import { missingValue, otherNumbers, otherWords, thousands } from './values.ts';
import type { Attempt, Fix } from '../machine/fix.ts';

// The one place that lists the fixes. Each list belongs to one place in the grammar and is ordered least invasive first.

/** Where two quotes begin a key. */
export const quotedKeyFixes: readonly (Fix | Attempt)[] = [strings.doubledQuotesKey, strings.otherQuotesKey];

/** Where two quotes begin a value. */
export const quotedValueFixes: readonly (Fix | Attempt)[] = [strings.doubledQuotesValue, strings.otherQuotesValue];

/** Where a key or a closing brace is due. */
export const keyFixes: readonly (Fix | Attempt)[] = [
  positionalArgument,
  unquotedKey,
  strings.prefixedKey,
  strings.doubledApostrophesKey,
  strings.otherQuotesKey,
  punctuation.extraComma,
  punctuation.colonBeforeKey,
  thousands,
  punctuation.ellipsis,
  punctuation.cutByWrapper,
  wrongCloser,
];

/** Where a colon is due. */
export const colonFixes: readonly (Fix | Attempt)[] = [punctuation.wrongColon, punctuation.missingColon];

/** Where a value is due. */
export const valueFixes: readonly (Fix | Attempt)[] = [
  strings.doubledApostrophesValue,
  strings.otherQuotesValue,
  strings.prefixedString,
  otherWords,
  otherNumbers,
  missingValue,
  punctuation.extraColon,
  punctuation.extraComma,
  punctuation.tuple,
  punctuation.fullWidthBrace,
  punctuation.fullWidthBracket,
  punctuation.ellipsis,
  punctuation.cutByWrapper,
  strayCloser,
  wrongCloser,
  bareKeyInList,
  unquotedString,
];

/** Where a word stands that is not one of JSON's. */
export const wordFixes: readonly (Fix | Attempt)[] = [
  strings.prefixedString,
  otherWords,
  bareKeyInList,
  unquotedString,
];

/** Where a number stands that is not one of JSON's. */
export const numberFixes: readonly (Fix | Attempt)[] = [otherNumbers, otherWords, unquotedString];

/** Where a comma or a closer is due. */
export const separatorFixes: readonly (Fix | Attempt)[] = [
  punctuation.wrongComma,
  strings.joinStrings,
  membersInList,
  keyInList,
  punctuation.secondQuote,
  punctuation.missingComma,
  punctuation.strayQuote,
  punctuation.ellipsis,
  barePhrase,
  transposedClosers,
  wrongCloser,
];
