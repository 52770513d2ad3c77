import type { Fix } from '../fix.ts';
import { bareKeyInList } from './bare-key-in-list.ts';
import { barePhrase } from './bare-phrase.ts';
import { cutByWrapper } from './cut-by-wrapper.ts';
import { doubledQuotesKey, doubledQuotesValue } from './doubled-quotes.ts';
import { ellipsis } from './ellipsis.ts';
import { colonBeforeKey, extraColon } from './extra-colon.ts';
import { extraComma } from './extra-comma.ts';
import { fullWidthOpener } from './full-width.ts';
import { joinStrings } from './join-strings.ts';
import { keyInList } from './key-in-list.ts';
import { missingColon } from './missing-colon.ts';
import { missingComma } from './missing-comma.ts';
import { missingValue } from './missing-value.ts';
import { otherNumbers } from './other-numbers.ts';
import { otherQuotesKey, otherQuotesValue } from './other-quotes.ts';
import { otherWords } from './other-words.ts';
import { positionalArgument } from './positional-argument.ts';
import { prefixedKey, prefixedString } from './prefixed-string.ts';
import { secondQuote, strayQuote } from './stray-quote.ts';
import { thousands } from './thousands.ts';
import { tuple } from './tuple.ts';
import { unquotedKey } from './unquoted-key.ts';
import { unquotedString } from './unquoted-string.ts';
import { strayCloser, wrongCloser } from './wrong-closer.ts';
import { wrongColon } from './wrong-colon.ts';
import { wrongComma } from './wrong-comma.ts';

// The one place that lists the fixes. Each list belongs to one place in the grammar and is ordered least invasive first.

/** Where two quotes begin a key. */
export const quotedKeyFixes: readonly Fix[] = [doubledQuotesKey, otherQuotesKey];

/** Where two quotes begin a value. */
export const quotedValueFixes: readonly Fix[] = [doubledQuotesValue, otherQuotesValue];

/** Where a key or a closing brace is due. */
export const keyFixes: readonly Fix[] = [
  positionalArgument,
  unquotedKey,
  prefixedKey,
  otherQuotesKey,
  extraComma,
  colonBeforeKey,
  thousands,
  ellipsis,
  cutByWrapper,
  wrongCloser,
];

/** Where a colon is due. */
export const colonFixes: readonly Fix[] = [wrongColon, missingColon];

/** Where a value is due. */
export const valueFixes: readonly Fix[] = [
  otherQuotesValue,
  prefixedString,
  otherWords,
  otherNumbers,
  missingValue,
  extraColon,
  extraComma,
  tuple,
  fullWidthOpener,
  ellipsis,
  cutByWrapper,
  strayCloser,
  wrongCloser,
  bareKeyInList,
  unquotedString,
];

/** Where a word stands that is not one of JSON's. */
export const wordFixes: readonly Fix[] = [prefixedString, otherWords, bareKeyInList, unquotedString];

/** Where a number stands that is not one of JSON's. */
export const numberFixes: readonly Fix[] = [otherNumbers, otherWords, unquotedString];

/** Where a comma or a closer is due. */
export const separatorFixes: readonly Fix[] = [
  wrongComma,
  joinStrings,
  keyInList,
  secondQuote,
  missingComma,
  strayQuote,
  ellipsis,
  barePhrase,
  wrongCloser,
];
