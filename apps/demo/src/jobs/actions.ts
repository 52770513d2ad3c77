/** The actions of `haft jobs`. */
export const actions = ['list', 'show', 'cancel', 'settle', 'approve'] as const;

/** One of {@link actions}. */
export type JobsAction = (typeof actions)[number];
