import type { PatternTree } from '@haft/schema/patterns';
import { readPattern } from './read-pattern.ts';

/** A pattern that finds matching lines in a whole text. */
export interface LinePattern {
  /**
   * With the flags `g` and `m`: for a text whose only line ends are `
   * `.
   */
  readonly standard: RegExp;
  /** With the flag `g`: also for a text with other characters that JavaScript treats as line ends. */
  readonly exact: RegExp;
}

/**
 * Converts a pattern for single lines to a pattern that finds the same matches in a whole text: no part of it matches a
 * line feed, and `^` and `$` match at line ends. This is many times faster than searching line by line. Returns
 * undefined if the pattern can't be parsed.
 */
export function compileLinePattern(source: string, flags: string): LinePattern | undefined {
  const pattern = readPattern(source, flags);
  if (pattern === undefined) return undefined;
  const leaves = listLeaves(pattern.tree);
  const render = (anchors: Readonly<Record<string, string>>): string => {
    let rendered = '';
    let end = 0;
    for (const { start, text } of leaves) {
      rendered += source.slice(end, start) + (anchors[text] ?? confineToLine(text, flags));
      end = start + text.length;
    }
    return rendered + source.slice(end);
  };
  try {
    return {
      standard: new RegExp(render({}), `gm${flags}`),
      exact: new RegExp(render({ '^': '(?<![^\\n])', $: '(?![^\\n])' }), `g${flags}`),
    };
  } catch {
    // The engine accepts some patterns, such as quantified anchors, only in their original form.
    return undefined;
  }
}

/** Returns the character sets and the anchors `^` and `$` of a pattern, in source order. */
function listLeaves(tree: PatternTree): readonly { readonly start: number; readonly text: string }[] {
  switch (tree.kind) {
    case 'set':
      return tree.start < 0 ? [] : [{ start: tree.start, text: tree.source }];
    case 'assertion':
      return tree.sort === 'start' || tree.sort === 'end'
        ? [{ start: tree.start, text: tree.sort === 'start' ? '^' : '$' }]
        : [];
    case 'look':
    case 'repeat':
      return listLeaves(tree.part);
    case 'sequence':
    case 'choice':
      return tree.parts.flatMap(listLeaves);
    default:
      return [];
  }
}

const withoutLineFeed: Readonly<Record<string, string>> = {
  '\\s': '[^\\S\\n]',
  '\\W': '[^\\w\\n]',
  '\\D': '[^\\d\\n]',
};

function confineToLine(atom: string, flags: string): string {
  if (atom === '^' || atom === '$' || !new RegExp(`^(?:${atom})$`, flags).test('\n')) return atom;
  const isFolded = flags.includes('i') && flags.includes('u');
  if (!isFolded && Object.hasOwn(withoutLineFeed, atom)) return withoutLineFeed[atom]!;
  if (!isFolded && atom.startsWith('[^') && !/^\[\^[-\]]/.test(atom)) return `[^\\n${atom.slice(2)}`;
  return `(?:(?!\\n)${atom})`;
}
