/** One place to change, in indices of the file's text, and what goes there. */
export interface EditSpan {
  readonly start: number;
  readonly end: number;
  /** Undefined where the place fits but the new text can't be formatted like it; it counts as a place all the same. */
  readonly replacement: string | undefined;
}

/** In what the model's text differs from the file's where it was found; `exact` is no difference at all. */
export type MatchKind = 'exact' | 'line endings' | 'trailing blanks' | 'indentation' | 'typography' | 'inner blanks';

/** How a model's text was read before it was looked for. */
export type NeedleKind = 'as written' | 'without blank lines around it' | 'without line numbers' | 'unescaped';

/** What a text and its successor are while they are looked for. */
export interface EditTexts {
  readonly oldText: string;
  readonly newText: string;
}
