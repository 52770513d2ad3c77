/** Terminal escape sequences: colours, cursor moves, titles. */
// eslint-disable-next-line no-control-regex
const escapeSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** ASCII text and source code, which needs no further check. */
const plainText = /^[\t\n -~]*$/;

/**
 * Invisible characters by their Unicode properties: control, format, private, unassigned and default-ignorable
 * characters, variation selectors, and the object replacement character.
 */
const invisible =
  '[[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{Default_Ignorable_Code_Point}\\p{Variation_Selector}\\uFFFC]--[\\n\\r\\t]]';
/** Spaces that look like an ordinary space, and the empty Braille cell. */
const oddSpace = '[[\\p{Zs}\\u2800]--[ ]]';
const lineBreak = '\\r\\n?|[\\p{Zl}\\p{Zp}]';
const mark = '[\\p{Mn}\\p{Me}]';
const letter = `[[\\p{L}\\p{M}]--${invisible}]`;

/** Scripts with joining letters. A ZWNJ between two of them is part of the spelling (UAX 31, rule A1). */
const joiningScripts = ['Arabic', 'Syriac', 'Mandaic', 'Mongolian', 'Nko', 'Phags_Pa', 'Manichaean', 'Adlam'];
const joining = `[${letter}&&[${joiningScripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]]`;
/**
 * Viramas, next to which ZWJ and ZWNJ choose the form of a letter. Regular expressions have no property for their
 * combining class (9).
 */
const virama = `[${[0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xbcd, 0xc4d, 0xccd, 0xd4d, 0xdca, 0x1039, 0x17d2]
  .map((code) => String.fromCodePoint(code))
  .join('')}]`;
const spellingJoiner = [
  `(?<=${joining})\\u200C(?=${joining})`,
  `(?<=${virama})[\\u200C\\u200D](?=${letter})`,
  `(?<=${letter})\\u200D(?=${virama})`,
].join('|');

/** A possible emoji sequence: at least one of its characters would be invisible alone. */
const emojiCandidate =
  '\\p{Emoji}(?=[\\u200D\\uFE0F\\u{E0020}-\\u{E007F}\\p{Emoji_Modifier}])' +
  '(?:\\p{Emoji_Modifier}|(?<=[0-9#*])\\uFE0F\\u20E3|\\uFE0F|[\\u{E0020}-\\u{E007F}]+)?' +
  '(?:\\u200D\\p{Emoji}(?:\\p{Emoji_Modifier}|\\uFE0F)?)*';

// The flag `v`, which supports emoji sequences, is newer than the language level of literals.
const suspect = new RegExp(`${invisible}|${oddSpace}|[\\p{Zl}\\p{Zp}\\p{Cs}\\r]|${mark}{5}`, 'v');
/** Words never have more than four marks on one character (UTS 39, section 5.4). */
const tallStack = new RegExp(`(${mark}(?:${mark}|${invisible}){3})(?:${mark}|${invisible})+`, 'gv');
const special = new RegExp(
  [
    `[${invisible}--[\\u200C\\u200D]]+`,
    `(${oddSpace})`,
    `(${lineBreak})`,
    `(${emojiCandidate})`,
    `(${spellingJoiner})`,
    '[\\u200C\\u200D]+',
    '(\\p{Cs})',
  ].join('|'),
  'gv',
);
const hidden = new RegExp(invisible, 'gv');
const emojiSequence = new RegExp('^\\p{RGI_Emoji}$', 'v');
/** Maximum number of distinct emoji candidates. Checking them is slow. */
const maxCandidates = 1_000;
const maxCandidateUnits = 40;

/**
 * Removes characters that are invisible to users but not to models, and terminal escape sequences. Other kinds of
 * spaces become ordinary spaces, line breaks become line feeds, and lone surrogates become U+FFFD. Emoji sequences and
 * the joiners of Persian and Indic spelling stay intact.
 *
 * @example
 * import { cleanText } from '@haft/sandbox';
 * cleanText('pay\u200b \u001b[31mnow\u001b[0m\r\n'); // => 'pay now\n'
 */
export function cleanText(text: string): string {
  if (plainText.test(text) || !suspect.test(text)) return text;
  const known = new Map<string, string>();
  const cleanCandidate = (candidate: string): string => {
    const before = known.get(candidate);
    if (before !== undefined) return before;
    const isSequence =
      candidate.length <= maxCandidateUnits && known.size < maxCandidates && emojiSequence.test(candidate);
    const clean = isSequence ? candidate : candidate.replace(hidden, '');
    if (known.size < maxCandidates) known.set(candidate, clean);
    return clean;
  };
  let hasSequence = false;
  const clean = text
    .replace(escapeSequences, '')
    .replace(tallStack, '$1')
    .replace(special, (found: string, ...groups: readonly (string | undefined)[]) => {
      const [space, line, emoji, joiner, half] = groups;
      if (space !== undefined) return ' ';
      if (line !== undefined) return '\n';
      if (emoji !== undefined) {
        const kept = cleanCandidate(emoji);
        hasSequence ||= kept === emoji;
        return kept;
      }
      if (joiner !== undefined) return found;
      return half === undefined ? '' : '\uFFFD';
    });
  // A removed character may have separated a sequence from an emoji that now continues it.
  return hasSequence && clean !== text ? cleanText(clean) : clean;
}
