/**
 * For whoever works on the package: what the classes are, and the cases of one that were not read as meant. Only cases of
 * the development row can be looked at here; the held-out ones stay unseen.
 */
import { parseArgs } from 'node:util';

import type { Case } from '@haft-tooling/corpora/damaged-json';
import { damages, makeCompositions, makeControls, makeSingles } from '@haft-tooling/corpora/damaged-json';
import { judgeCases } from './reading/judge-cases.ts';
import type { Answer } from './reading/reader-process.ts';
import { haft, haftWithSchema, readers } from '@haft-tooling/peers/damaged-json/readers';

interface Judged {
  readonly one: Case;
  readonly answer: Answer;
}

const { values } = parseArgs({
  options: {
    classes: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    failures: { type: 'string' },
    reader: { type: 'string' },
    count: { type: 'string', default: '20' },
    show: { type: 'string', default: '5' },
  },
});
const [count, show] = [Number(values.count), Number(values.show)];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.classes) {
  for (const { name, group, decides } of damages) {
    print(`${group.padEnd(14)} ${name}${decides === 'values' ? ' (one value for another)' : ''}`);
  }
} else if (values.report) {
  await report();
} else if (values.failures === undefined) {
  print(
    'study.ts --classes | --report | --failures CLASS|GROUP|double|triple|control [--reader NAME] [--count N] [--show N]',
  );
} else {
  await showFailures(values.failures);
}

function casesOf(name: string): readonly Case[] {
  if (name === 'double') return makeCompositions('development', 2, count);
  if (name === 'control') return makeControls('development', count);
  if (name === 'triple') return makeCompositions('development', 3, count);
  const chosen = damages.filter((damage) => damage.name === name || damage.group === name);
  if (chosen.length === 0) throw new Error(`no class or group is called ${JSON.stringify(name)}; see --classes`);
  return makeSingles('development', count, chosen);
}

/** Has the reader that was named, or Haft, read the cases: with the schema where only that can decide. */
async function judgeAll(cases: readonly Case[]): Promise<readonly Judged[]> {
  const named = readers.find(({ name }) => values.reader !== undefined && name.startsWith(values.reader));
  const isSchema = ({ group }: Case): boolean => group === 'schema';
  const judged = await Promise.all(
    [cases.filter((one) => !isSchema(one)), cases.filter(isSchema)].map(async (part, index) => {
      const reader = named ?? (index === 0 ? haft : haftWithSchema);
      const answers = await judgeCases(reader.name, part, { caseMs: 5_000, show: true });
      return part.flatMap((one, place): readonly Judged[] => {
        const answer = answers[place];
        return answer === undefined ? [] : [{ one, answer }];
      });
    }),
  );
  return judged.flat();
}

function printCase({ one, answer }: Judged, longest: number): void {
  const { outcome, unmarked, changedString } = answer.verdict;
  const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
  print(`\n--- ${one.id}${one.damages.length > 1 ? ` [${one.damages.join(' + ')}]` : ''}`);
  print(`${outcome}${unmarked ? ', not marked' : ''}${changedString ? ', a string changed' : ''}`);
  print(`text:  ${shorten(one.text)}`);
  print(`truth: ${shorten(JSON.stringify(one.truth))}`);
  print(`read:  ${shorten(answer.shown ?? '')}`);
}

function isRight({ answer: { verdict } }: Judged): boolean {
  return verdict.outcome === 'exact' || verdict.outcome === 'alternative';
}

async function showFailures(name: string): Promise<void> {
  const judged = await judgeAll(casesOf(name));
  const failures = judged.filter((one) => !isRight(one));
  print(`${judged.length - failures.length} of ${judged.length} exact, or as good where there is no one right answer`);
  for (const failure of failures.slice(0, show)) printCase(failure, Number.POSITIVE_INFINITY);
}

/** Every class that is not read as meant throughout, the worst first, with some of its failures. */
async function report(): Promise<void> {
  const singles = makeSingles('development', count);
  const several = ([2, 3] as const).flatMap((size) => makeCompositions('development', size, count * 10));
  const classes = Map.groupBy(await judgeAll([...singles, ...several]), ({ one }) =>
    one.damages.length > 1 ? one.group : `${one.group}: ${one.damages.join()}`,
  );
  const rows = [...classes].map(([name, all]) => ({ name, all, failures: all.filter((one) => !isRight(one)) }));
  const of = (part: readonly Judged[], all: readonly Judged[]): string =>
    `${((part.length / all.length) * 100).toFixed(1)} %`;
  const plain = rows.filter(({ name }) => name.includes(':') && !/^(?:ambiguous|schema)/.test(name));
  const every = plain.flatMap(({ all }) => all);
  print(`# Development row: ${count} cases a class\n`);
  print(`Single damages, blind: ${of(every.filter(isRight), every)} exact`);
  for (const { name, all } of rows.filter(({ name }) => !name.includes(':'))) {
    print(`${name}: ${of(all.filter(isRight), all)} exact`);
  }
  print(
    '\n| class | right | wrong | refused | hung | wrong and not marked | untouched string changed |\n|---|---:|---:|---:|---:|---:|---:|',
  );
  const worst = rows
    .filter(({ failures }) => failures.length > 0)
    .toSorted((left, right) => right.failures.length / right.all.length - left.failures.length / left.all.length);
  for (const { name, all, failures } of worst) {
    const tally = (suits: (one: Judged) => boolean): number => failures.filter(suits).length;
    const outcomes = (['wrong', 'refused', 'hung'] as const).map((outcome) =>
      tally(({ answer }) => answer.verdict.outcome === outcome),
    );
    print(
      `| ${name} | ${all.length - failures.length}/${all.length} | ${outcomes.join(' | ')} | ${tally(({ answer }) => answer.verdict.unmarked)} | ${tally(({ answer }) => answer.verdict.changedString)} |`,
    );
  }
  for (const { name, failures } of worst) {
    print(`\n## ${name}\n\n~~~text`);
    for (const failure of failures.slice(0, name.includes(':') ? show : show * 8)) printCase(failure, 700);
    print('~~~');
  }
}
