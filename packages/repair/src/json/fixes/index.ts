import type { Fix } from '../machine/fix.ts';
import { bareKeyInList } from './keys/bare-key-in-list.ts';
import { barePhrase } from './strings/bare-phrase.ts';
import { cutByWrapper } from './punctuation/cut-by-wrapper.ts';
import {
  doubledApostrophesKey,
  doubledApostrophesValue,
  doubledQuotesKey,
  doubledQuotesValue,
} from './strings/doubled-quotes.ts';
import { ellipsis } from './values/ellipsis.ts';
import { colonBeforeKey, extraColon } from './punctuation/extra-colon.ts';
import { extraComma } from './punctuation/extra-comma.ts';
import { fullWidthOpener } from './punctuation/full-width.ts';
import { joinStrings } from './strings/join-strings.ts';
import { membersInList } from './keys/members-in-list.ts';
import { keyInList } from './keys/key-in-list.ts';
import { missingColon } from './punctuation/missing-colon.ts';
import { missingComma } from './punctuation/missing-comma.ts';
import { missingValue } from './values/missing-value.ts';
import { otherNumbers } from './values/other-numbers.ts';
import { otherQuotesKey, otherQuotesValue } from './strings/other-quotes.ts';
import { otherWords } from './values/other-words.ts';
import { positionalArgument } from './keys/positional-argument.ts';
import { prefixedKey, prefixedString } from './strings/prefixed-string.ts';
import { secondQuote, strayQuote } from './strings/stray-quote.ts';
import { thousands } from './values/thousands.ts';
import { tuple } from './values/tuple.ts';
import { unquotedKey } from './keys/unquoted-key.ts';
import { unquotedString } from './strings/unquoted-string.ts';
import { transposedClosers } from './punctuation/transposed-closers.ts';
import { strayCloser, wrongCloser } from './punctuation/wrong-closer.ts';
import { wrongColon } from './punctuation/wrong-colon.ts';
import { wrongComma } from './punctuation/wrong-comma.ts';

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
  doubledApostrophesKey,
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
  doubledApostrophesValue,
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
  membersInList,
  keyInList,
  secondQuote,
  missingComma,
  strayQuote,
  ellipsis,
  barePhrase,
  transposedClosers,
  wrongCloser,
];
