import type { Problem } from './problem.ts';

/** The texts that name the steps of a call. */
export interface StepTexts {
  /** The source of `dispatchCall`. */
  readonly code: string;
  /** The pages and the picture that list the steps, by path. */
  readonly pages: Readonly<Record<string, string>>;
}

/** How each page lists the steps: every match is one step, in order. */
const listsOfPages: Readonly<Record<string, (page: string) => readonly string[]>> = {
  'ARCHITECTURE.md': (page) => matchesOf(/^ {3}(\w+) {2,}\S/gm, between(page, '▼', 'one ToolResult')),
  'docs/concepts/life-of-a-call.md': (page) => matchesOf(/^\| (\w+) \|/gm, between(page, '|---|', '## ')),
  'docs/pictures/life-of-a-call.svg': (page) => matchesOf(/class="name"[^>]*>(\w+)</g, page).slice(1),
  'packages/core/README.md': (page) => matchesOf(/(\w+)/g, /^`\w+(?: → \w+){5,}`$/m.exec(page)?.[0] ?? ''),
};

/** Compares the steps that `dispatchCall` runs with the steps that each page lists. The picture begins with `find`. */
export function findStepProblems({ code, pages }: StepTexts): readonly Problem[] {
  const steps = [...new Set(matchesOf(/\b(?!pause\b)(\w+)\(run\b/g, between(code, 'try {', 'catch')))];
  return Object.entries(listsOfPages).flatMap(([page, listsOf]) => {
    const listed = listsOf(pages[page] ?? '');
    if (steps.length > 0 && listed.join() === steps.join()) return [];
    return [
      {
        where: page,
        what: `it lists the steps ${listed.join(', ') || '(none)'}, but dispatchCall runs ${steps.join(', ') || '(none)'}`,
        remedy: 'Name the same steps in the same order in the code and on the page',
      },
    ];
  });
}

function matchesOf(pattern: RegExp, text: string): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** The text between the first mark and the next end mark after it. */
function between(text: string, mark: string, endMark: string): string {
  const [, ...rest] = text.split(mark);
  return rest.join(mark).split(endMark)[0] ?? '';
}
