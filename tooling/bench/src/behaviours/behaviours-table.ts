import { markdownTable } from '@haft-tooling/benchmark-page';
import { versionOf } from '@haft-tooling/peers/version-of';
import { goodBehaviours } from './judge-behaviour.ts';
import type { MeasuredAgent } from './measure-behaviours.ts';
import { scenarios } from './scenarios.ts';

/** Writes the behaviours as a Markdown table. Behaviours from which a model cannot continue are in italics. */
export function toBehavioursTable(measured: readonly MeasuredAgent[]): string {
  const heads = measured.map(({ agent: { name, packageName } }) =>
    packageName === undefined ? name : `${name} ${versionOf(packageName)}`,
  );
  const lines = scenarios.map(({ what }, row) => [
    what,
    ...measured.map(({ behaviours }) => {
      const behaviour = behaviours[row] ?? 'nothing happens';
      return goodBehaviours.has(behaviour) ? behaviour : `_${behaviour}_`;
    }),
  ]);
  return markdownTable(['when a model…', ...heads], lines, { isText: true });
}

const opening = '<!-- behaviours: written by `pnpm bench behaviours --write` -->';
const closing = '<!-- /behaviours -->';

/**
 * Replaces the table of a page.
 * @throws Error if the page has no place for it.
 */
export function replaceTable(page: string, table: string): string {
  const start = page.indexOf(opening);
  const end = page.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`the page has no ${opening} … ${closing}`);
  return `${page.slice(0, start + opening.length)}\n${table}\n${page.slice(end)}`;
}
