import { styleText } from 'node:util';

/** The meaning of a text segment; one table maps meanings to colours. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'accent' | 'added' | 'removed';

/** Colours text for one stream. Returns plain text if the stream shows no colours. */
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

/** Creates the paint of a stream: colours on a terminal; `NO_COLOR` and `FORCE_COLOR` take precedence. */
export function createPaint(stream: NodeJS.WriteStream): Paint {
  return (tone, text) => (text === '' ? '' : styleText(formats[tone], text, { stream }));
}

/** Paint without colours. */
export const plainPaint: Paint = (_tone, text) => text;
