/** How likely it is that a value ends at an offset, judged by the text after it. */
export type Likelihood = 0 | 1 | 2;

/** The text can't follow a value. */
export const unlikely = 0;
/** The text can follow a value if there is other damage too. */
export const possible = 1;
/** The text usually follows values. */
export const likely = 2;

/** The first character after a value that is neither a comma nor its container's closer. */
export interface Place {
  readonly at: number;
  readonly code: number;
  /** Whether a comma precedes it. */
  readonly hasComma: boolean;
  /** Whether the value is known to be damaged. */
  readonly isDamaged: boolean;
}
