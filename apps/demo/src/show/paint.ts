import { styleText } from 'node:util';

/** How a piece of text is meant to look; the words are about meaning, so that one table decides on colours. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'accent' | 'added' | 'removed';

/** Dresses text for one stream. Plain text comes back where the stream shows no colours. */
export type Paint = (tone: Tone, text: string) => string;

const formats: Readonly<Record<Tone, Parameters<typeof styleText>[0]>> = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  quiet: 'dim',
  strong: 'bold',
  accent: 'cyan',
  added: 'green',
  removed: 'red',
};

/** Makes the paint of a stream: colours on a terminal, none elsewhere, and `NO_COLOR` and `FORCE_COLOR` decide before that. */
export function createPaint(stream: NodeJS.WriteStream): Paint {
  return (tone, text) => (text === '' ? '' : styleText(formats[tone], text, { stream }));
}

/** No colours at all. */
export const plainPaint: Paint = (_tone, text) => text;
