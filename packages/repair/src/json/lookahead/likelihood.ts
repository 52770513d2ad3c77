/** How likely it is that a value ends at an offset, judged by the text after it. */
export type Likelihood = 0 | 1 | 2;

/** The text can't follow a value. */
export const unlikely = 0;
/** The text can follow a value if there is other damage too. */
export const possible = 1;
/** The text usually follows values. */
export const likely = 2;
