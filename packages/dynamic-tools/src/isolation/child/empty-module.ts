/** An empty module that a process imports to prepare for a plugin. */
export const empty: undefined = undefined;
