/** Names that other tool sets use for the text of a file. */
export const contentAliases: readonly string[] = ['contents', 'text', 'data', 'file_text', 'body'];
