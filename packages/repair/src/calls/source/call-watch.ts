/** Whoever wants to see calls while they are being written. */
export interface CallWatch {
  /** Whether anybody looks. */
  readonly isOn: boolean;
  /**
   * Reports that a call of that name has begun for certain. Returns the watcher of its arguments, or undefined if nothing
   * wants to see them.
   */
  readonly begin: (name: string) => ArgumentsWatch | undefined;
}

/** Whoever wants to see the arguments of one call. They come as JSON, as code, or one by one. */
export interface ArgumentsWatch {
  /** More of the JSON of the arguments, as it stands in the text. */
  readonly json: (piece: string) => void;
  /** More of the arguments as code, from the opening parenthesis on. */
  readonly code: (piece: string) => void;
  /** The argument of that name begins, and its value is text. */
  readonly beginText: (key: string) => void;
  /** More of the text that began last. */
  readonly text: (piece: string) => void;
  /** The argument of that name is whole. */
  readonly member: (key: string, value: unknown) => void;
}

/** Drops what it is shown. */
export const noArguments: ArgumentsWatch = {
  json: () => {},
  code: () => {},
  beginText: () => {},
  text: () => {},
  member: () => {},
};

/** Nobody looks. */
export const noWatch: CallWatch = { isOn: false, begin: () => undefined };
