import type { Issue } from '../../issue.ts';

/** How issues are put into words of one language. */
export interface Catalogue {
  /** The line a model reads; `example` is absent where it would only repeat what was expected. */
  line(parts: {
    readonly path: string;
    readonly expected: string;
    readonly received: string;
    readonly example?: string;
  }): string;
  /** What an issue's `expected` says, in this language. */
  expected(issue: Issue): string;
  /** What an issue's `received` says, in this language. */
  received(issue: Issue): string;
}
