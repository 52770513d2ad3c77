/** A range to change, as offsets in the file, and its replacement. */
export interface EditSpan {
  readonly start: number;
  readonly end: number;
  /** Undefined if the new text cannot be formatted like the range. The range still counts as a match. */
  readonly replacement: string | undefined;
}

/** How the model's text differs from the file. `exact` means that it does not differ. */
export type MatchKind = 'exact' | 'line endings' | 'trailing blanks' | 'indentation' | 'typography' | 'inner blanks';

/** How a model's text was normalized before the search. */
export type NeedleKind = 'as written' | 'without blank lines around it' | 'without line numbers' | 'unescaped';

/** The old and the new text of an edit. */
export interface EditTexts {
  readonly oldText: string;
  readonly newText: string;
}
