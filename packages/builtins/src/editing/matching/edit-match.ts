/** One span to change, as offsets in the file, and its replacement. */
export interface EditSpan {
  readonly start: number;
  readonly end: number;
  /** Undefined when the span matches but the new text can't be formatted like it; the span still counts as a match. */
  readonly replacement: string | undefined;
}

/** How the model's text differs from the file's; `exact` means not at all. */
export type MatchKind = 'exact' | 'line endings' | 'trailing blanks' | 'indentation' | 'typography' | 'inner blanks';

/** How a model's text was normalized before the search. */
export type NeedleKind = 'as written' | 'without blank lines around it' | 'without line numbers' | 'unescaped';

/** The old and the new text of an edit. */
export interface EditTexts {
  readonly oldText: string;
  readonly newText: string;
}
