import type { Source } from '../contract/envelope.ts';

/** Receives calls while they are being written. */
export interface CallWatch {
  /** Reports that a call has certainly begun. Returns a receiver of its arguments if they are shown. */
  readonly begin: (name: string) => ArgumentsWatch | undefined;
}

/** Receives the arguments of one call: as JSON, as code, or one by one. */
export interface ArgumentsWatch {
  /** The next chunk of the arguments' JSON, exactly as in the text. */
  readonly json: (chunk: string) => void;
  /** More of the arguments as code, from the opening parenthesis on. */
  readonly code: (chunk: string) => void;
  /** An argument with a string value begins. */
  readonly beginText: (key: string) => void;
  /** More of the string that began last. */
  readonly text: (chunk: string) => void;
  /** An argument has ended. */
  readonly member: (key: string, value: unknown) => void;
}

/** Shows no call before it has ended. */
export const noWatch: CallWatch = { begin: () => undefined };

/** Passes on a text as it arrives, each chunk once and in order. */
export interface Shown {
  /** Passes on the next chunk, which is not yet part of the text. The text before it must have been passed on. */
  readonly add: (chunk: string) => void;
  /** Passes on the part of the text up to an offset. Many calls in one chunk would each pass on all of it. */
  readonly catchUp: (end: number) => void;
}

/** Passes on a text from an offset on. */
export function showFrom(
  source: Pick<Source, 'text'>,
  from: number,
  show: (chunk: string, offset: number) => void = () => {},
): Shown {
  let at = from;
  const add = (chunk: string): void => {
    if (chunk !== '') show(chunk, at);
    at += chunk.length;
  };
  return { add, catchUp: (end) => add(source.text.slice(at, end)) };
}
