import type { Catalogue } from './catalogue.ts';

/** English, the language in which issues are created. */
export const en: Catalogue = {
  line({ path, expected, received, example }) {
    const line = `${path}: expected ${expected}, received ${received}.`;
    return example === undefined ? line : `${line} Example: ${example}`;
  },
  expected: (issue) => issue.expected,
  received: (issue) => issue.received,
};
