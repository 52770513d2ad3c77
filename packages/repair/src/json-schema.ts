/**
 * A JSON Schema as data: an object of keywords, or `true` (anything) and `false` (nothing).
 * Declared structurally, so that this package has no dependencies. Any typed schema fits it.
 */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };
