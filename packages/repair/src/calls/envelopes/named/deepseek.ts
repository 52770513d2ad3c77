import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

// Distilled models spell the tokens with other bars, other underscores, or spaces.
const SECTION = '(?:<[|｜]tool[▁_ ]calls(?:[▁_ ]begin)?[|｜]>\\s{0,9})?';
const CALL = '(?:<[|｜]tool[▁_ ]call[▁_ ]begin[|｜]>\\s{0,9})?';
const SEPARATOR = '<[|｜]tool[▁_ ]sep[|｜]>';
const SPELLINGS = ['｜', '|'].flatMap((bar) => ['▁', '_', ' '].map((space) => ({ bar, space })));
const OPENERS = SPELLINGS.flatMap(({ bar, space }) => [
  `<${bar}tool${space}calls`,
  `<${bar}tool${space}call${space}begin`,
]);
const closers = (word: string): string[] =>
  SPELLINGS.map(({ bar, space }) => `<${bar}tool${space}${word}${space}end${bar}>`);

/** `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather_at⏎```json⏎{…}⏎```<｜tool▁call▁end｜>` */
export const deepseekV3: Envelope = namedEnvelope({
  name: 'deepseek-v3',
  tier: 1,
  openers: OPENERS,
  call: new RegExp(
    `${SECTION}${CALL}function${SEPARATOR}\\s{0,9}([^\\s<>"'{}()|,;=]{1,128})\\s{0,9}(?=\`\`\`|\\{)`,
    'y',
  ),
  closers: closers('call'),
  sectionClosers: closers('calls'),
});

/** `<｜tool▁call▁begin｜>weather_at<｜tool▁sep｜>{…}<｜tool▁call▁end｜>` */
export const deepseekV31: Envelope = namedEnvelope({
  name: 'deepseek-v3.1',
  tier: 1,
  openers: OPENERS,
  call: new RegExp(`${SECTION}${CALL}([^\\s<>"'{}()|,;=]{1,128})\\s{0,9}${SEPARATOR}\\s{0,9}(?=\\{)`, 'y'),
  closers: closers('call'),
  sectionClosers: closers('calls'),
});
