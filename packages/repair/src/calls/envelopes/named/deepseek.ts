import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

// Distilled models spell the tokens with other bars, other underscores, or spaces.
const SECTION = '(?:<[|｜]tool[▁_ ]calls(?:[▁_ ]begin)?[|｜]>\\s{0,9})?';
const CALL = '(?:<[|｜]tool[▁_ ]call[▁_ ]begin[|｜]>\\s{0,9})?';
const SEPARATOR = '<[|｜]tool[▁_ ]sep[|｜]>';
const OPENERS = ['▁', '_', ' '].flatMap((space) => [`<｜tool${space}calls`, `<｜tool${space}call${space}begin`]);
const closers = (word: string): string[] => ['▁', '_', ' '].map((space) => `<｜tool${space}${word}${space}end｜>`);

/** `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather_at⏎```json⏎{…}⏎```<｜tool▁call▁end｜>` */
export const deepseekV3: Envelope = namedEnvelope({
  name: 'deepseek-v3',
  tier: 1,
  openers: OPENERS,
  call: new RegExp(`${SECTION}${CALL}function${SEPARATOR}([\\w.:-]{1,128})\\s{0,9}(?=\`\`\`|\\{)`, 'y'),
  closers: closers('call'),
  sectionClosers: closers('calls'),
});

/** `<｜tool▁call▁begin｜>weather_at<｜tool▁sep｜>{…}<｜tool▁call▁end｜>` */
export const deepseekV31: Envelope = namedEnvelope({
  name: 'deepseek-v3.1',
  tier: 1,
  openers: OPENERS,
  call: new RegExp(`${SECTION}${CALL}([\\w.:-]{1,128})${SEPARATOR}\\s{0,9}(?=\\{)`, 'y'),
  closers: closers('call'),
  sectionClosers: closers('calls'),
});
