/**
 * A JSON Schema as data: an object of keywords, or `true` (anything) and `false` (nothing).
 * Declared here, structurally, so that this package stands alone; any schema typed elsewhere fits it.
 */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };
