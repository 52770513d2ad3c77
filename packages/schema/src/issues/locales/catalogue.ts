import type { Issue } from '../../issue.ts';

/** The texts of issues in one language. */
export interface Catalogue {
  /** The line that a model reads. `example` is absent if it would only repeat what was expected. */
  line(parts: {
    readonly path: string;
    readonly expected: string;
    readonly received: string;
    readonly example?: string;
  }): string;
  /** Translates an issue's `expected`. */
  expected(issue: Issue): string;
  /** Translates an issue's `received`. */
  received(issue: Issue): string;
}
