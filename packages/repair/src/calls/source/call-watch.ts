import type { GrowingText } from './growing-text.ts';

/** Receives calls while they are being written. */
export interface CallWatch {
  /** False if calls are not shown before they have ended. */
  readonly isOn: boolean;
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

/** Ignores the arguments of a call. */
export const noArguments: ArgumentsWatch = {
  json: () => {},
  code: () => {},
  beginText: () => {},
  text: () => {},
  member: () => {},
};

/** Shows no call before it has ended. */
export const noWatch: CallWatch = { isOn: false, begin: () => undefined };

/** Passes on a text as it arrives, each chunk once and in order. */
export interface Shown {
  /** Passes on a chunk that begins at an offset and is not yet part of the text. */
  readonly add: (chunk: string, offset: number) => void;
  /** Passes on the part of the text up to an offset. Many calls in one chunk would each pass on all of it. */
  readonly catchUp: (end: number) => void;
}

/** Passes on a text from an offset on. */
export function showFrom(
  source: GrowingText,
  at: number,
  show: (chunk: string, offset: number) => void = () => {},
): Shown {
  let to = at;
  const add = (chunk: string): void => {
    if (chunk !== '') show(chunk, to);
    to += chunk.length;
  };
  return {
    add: (chunk, offset) => {
      if (offset === to) add(chunk);
    },
    catchUp: (end) => add(source.text.slice(to, end)),
  };
}
