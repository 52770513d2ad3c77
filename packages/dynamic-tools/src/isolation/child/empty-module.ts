/** What a process imports to prepare for a plugin. It does nothing. */
export const empty: undefined = undefined;
