import { growthOf, linearGrowth } from '@haft-tooling/growth';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './clean-text.ts';

const everyCode = Array.from({ length: 0x11_0000 }, (_, code) => code);
const isHidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\ufffc\u2800]/u;

describe('cleanText', () => {
  it.each([
    ['colours', 'a\u001b[1;31mb\u001b[0mc', 'abc'],
    ['window titles and links', 'a\u001b]0;title\u0007b\u001b]8;;http://x\u001b\\c', 'abc'],
    ['tag characters', `a${String.fromCodePoint(0xe0049, 0xe0067)}b`, 'ab'],
    ['bidirectional overrides', 'a\u202eb\u2066c', 'abc'],
    ['zero-width characters', 'a\u200bb\ufeffc\u00add\u3164e', 'abcde'],
    ['control characters', 'a\u0000b\u0008c\u009bd\u007fe', 'abcde'],
    ['variation selectors', 'a\ufe00b\ufe0fc\u{e0100}d', 'abcd'],
    ['private and unassigned characters', 'a\ue000b\u{f0000}c\u0378d\uffffe', 'abcde'],
    ['Hangul fillers', 'a\u115fb\u1160c\u3164d\uffa0e', 'abcde'],
    ['invisible operators', 'a\u2061b\u2064c', 'abc'],
    ['Mongolian and Khmer selectors', 'a\u180bb\u180fc\u17b4d\u17b5e', 'abcde'],
    ['format characters of music, shorthand and annotations', 'a\u{1d173}b\u{1bca0}c\ufff9d\ufffbe', 'abcde'],
    ['joiners between Latin letters', 'a\u200cb\u200dc\u034fd', 'abcd'],
    ['redundant joiners between Arabic letters', 'س\u200dل', 'سل'],
    ['doubled joiners', 'می\u200c\u200cخواهم', 'میخواهم'],
    ['joiners between emoji that form no sequence', '😀\u200d😁', '😀😁'],
    ['selectors after digits', '1\ufe0f2\ufe0f', '12'],
    ['tags after an unassigned flag', '🏴\u{e0041}\u{e0042}\u{e007f}', '🏴'],
    ['tall stacks of marks', `a${'\u0301'.repeat(40)}b`, `a${'\u0301'.repeat(4)}b`],
    ['tall stacks between invisible characters', `a${'\u0301\u200b\u034f'.repeat(40)}b`, `a\u0301\u0301b`],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['the surrogates of a hidden character', 'a\udb40\u200b\udc41b', 'a\ufffd\ufffdb'],
    ['the empty Braille cell', 'a\u2800b', 'a b'],
    ['spaces of other widths', 'a\u00a0b\u2003c\u3000d', 'a b c d'],
    ['other line ends', 'a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
  ])('removes or replaces %s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it.each([
    'tab\tline\nline 👩‍💻 👩‍👩‍👧 नमस्ते שלום سلام naïve',
    'می‌خواهم',
    'क्‍ष র‍্য ශ්‍රී',
    '❤️❤️ 👩‍❤️‍👨 👩🏻‍💻 1️⃣ 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'việt e\u0302\u0301 שָׁלוֹם',
    '漢字かな交じり文、한국어',
  ])('does not change ordinary text: %s', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  it('removes every code point between two letters that Unicode defines as hidden', () => {
    const kept = everyCode.filter((code) => {
      const character = String.fromCodePoint(code);
      const isWanted = code === 0x0a || code === 0x09 || !isHidden.test(character);
      return !isWanted && cleanText(`a${character}b`).includes(character);
    });
    expect(kept).toEqual([]);
  });

  it('does not change letters, digits and punctuation', () => {
    const lost = everyCode.filter((code) => {
      const character = String.fromCodePoint(code);
      return (
        /[\p{L}\p{N}\p{P}\p{Sm}\p{Sc}]/u.test(character) &&
        !isHidden.test(character) &&
        cleanText(character) !== character
      );
    });
    expect(lost).toEqual([]);
  });

  it('treats every character alike, whether or not another is removed', () => {
    const texts = everyCode
      .filter((code) => code < 0x1_0000 || code > 0xd_f000)
      .map((code) => `a${String.fromCodePoint(code)}b`);
    expect(texts.filter((text) => cleanText(text) !== cleanText(`${text}\u0000`))).toEqual([]);
  });

  it('is idempotent', () => {
    const hostile = Array.from(
      '\u001b[]3m\u0007\ud83d\ude00\u00ada1👩💻❤س\u094dक\u0301\u200c\u200d\ufe0f\u20e3\u{1f3fb}🏴\u{e0067}\u{e007f}\r\u2028',
    );
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(...hostile),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const clean = cleanText(units.join(''));
        return cleanText(clean) === clean && !clean.includes('\u001b') && clean.isWellFormed();
      }),
      { numRuns: 20_000 },
    );
  });

  it.each(['\u0301', '😀\u200d😁', '\u200b', '\r\n', '\u200c', 'ا\u200c', 'क्\u200d', '👩\u200d'])(
    'takes linear time for repeated %j',
    async (unit) => {
      expect(
        await growthOf(
          (size) => unit.repeat(size),
          (text) => void cleanText(text),
          5_000,
        ),
      ).toBeLessThan(linearGrowth);
    },
  );
});
