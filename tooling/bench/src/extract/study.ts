/**
 * For whoever works on the package: what the envelopes are, and the texts of one that were not read as meant. Only texts of
 * the development row can be looked at here; the held-out ones stay unseen.
 */
import { parseArgs } from 'node:util';

import { extractors, haft } from '@haft-tooling/peers/tool-call-texts/extractors';
import type { TextCase } from '@haft-tooling/corpora/tool-call-texts';
import { forms, makeCallless, makeTexts, readFixtures } from '@haft-tooling/corpora/tool-call-texts';
import { judgeTexts } from './judge-texts.ts';
import type { JudgedText } from './judge-texts.ts';

const { values } = parseArgs({
  options: {
    envelopes: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    failures: { type: 'string' },
    extractor: { type: 'string' },
    count: { type: 'string', default: '10' },
    show: { type: 'string', default: '5' },
  },
});
const [count, show] = [Number(values.count), Number(values.show)];
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const fixtures = readFixtures();

if (values.envelopes) {
  for (const { envelope, form, tier } of forms) print(`${envelope.padEnd(24)} tier ${tier}  ${form}`);
} else if (values.report) {
  await report();
} else if (values.failures === undefined) {
  print(
    'study.ts --envelopes | --report | --failures ENVELOPE|fixtures|probes|"no call" [--extractor NAME] [--count N] [--show N]',
  );
} else {
  const judged = await judgeAll(textsOf(values.failures));
  const failures = judged.filter((one) => !isRight(one));
  print(`${judged.length - failures.length} of ${judged.length} right`);
  for (const failure of failures.slice(0, show)) printText(failure, Number.POSITIVE_INFINITY);
}

function textsOf(name: string): readonly TextCase[] {
  if (name === 'fixtures') return fixtures.examples;
  if (name === 'probes') return fixtures.probes;
  if (name === 'no call') return makeCallless('development', count);
  const made = [...makeTexts('development', count, name), ...makeCallless('development', count, name)];
  if (made.length === 0) throw new Error(`no envelope is called ${JSON.stringify(name)}; see --envelopes`);
  return made;
}

function judgeAll(texts: readonly TextCase[]): Promise<readonly JudgedText[]> {
  const named = extractors.find(({ name }) => values.extractor !== undefined && name.includes(values.extractor));
  return judgeTexts((named ?? haft).name, texts, { textMs: 5_000, show: true });
}

function isRight({ verdict }: JudgedText): boolean {
  return verdict.outcome === 'exact' && !verdict.spoiledText;
}

function printText({ one, verdict }: JudgedText, longest: number): void {
  const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
  print(`\n--- ${one.id} (${one.form}, ${one.kind}${one.stopped === undefined ? '' : `, stopped: ${one.stopped}`})`);
  print(`${verdict.outcome}${verdict.spoiledText ? ', but other text is left than should be' : ''}`);
  print(`text:  ${shorten(one.text)}`);
  print(
    `calls: ${shorten(JSON.stringify(one.expected))}${one.left === undefined ? '' : `\nleft should be: ${JSON.stringify(one.left)}`}`,
  );
  print(`found: ${shorten(verdict.shown ?? '')}`);
}

/** Every envelope with its kinds, the worst first, with some of what failed. */
async function report(): Promise<void> {
  const judged = await judgeAll([
    ...fixtures.examples,
    ...fixtures.probes,
    ...makeTexts('development', count),
    ...makeCallless('development', count),
  ]);
  const share = (part: readonly JudgedText[]): string => {
    const exact = part.filter(({ verdict }) => verdict.outcome === 'exact').length;
    return `${exact} of ${part.length} (${((100 * exact) / Math.max(1, part.length)).toFixed(1)} %)`;
  };
  const of = (...kinds: readonly string[]): readonly JudgedText[] =>
    judged.filter(({ one }) => kinds.includes(one.kind));
  print(`# Development row: ${count} texts of each kind of each form\n`);
  print(`fixtures: ${share(of('fixture'))}; probes: ${share(of('probe'))}; no call: ${share(of('no call'))}`);
  for (const kind of ['clean', 'prose', 'noise', 'cut', 'unclosed']) print(`${kind}: ${share(of(kind))}`);
  print(`generated in all: ${share(of('clean', 'prose', 'noise', 'cut', 'unclosed'))}`);
  const groups = [
    ...Map.groupBy(judged, ({ one }) =>
      one.kind === 'fixture' || one.kind === 'probe' || one.kind === 'no call'
        ? `${one.kind}: ${one.envelope}`
        : `${one.envelope}: ${one.form}`,
    ),
  ];
  const rows = groups
    .map(([name, all]) => ({ name, all, failures: all.filter((one) => !isRight(one)) }))
    .filter(({ failures }) => failures.length > 0)
    .toSorted((left, right) => right.failures.length / right.all.length - left.failures.length / left.all.length);
  print('\n| what | right | missed | invented | other text left | kinds that fail |\n|---|---:|---:|---:|---:|---|');
  for (const { name, all, failures } of rows) {
    const tally = (suits: (one: JudgedText) => boolean): number => failures.filter(suits).length;
    const kinds = [...Map.groupBy(failures, ({ one }) => one.kind)].map(([kind, of]) => `${kind} ${of.length}`);
    print(
      `| ${name} | ${all.length - failures.length}/${all.length} | ${tally(({ verdict }) => verdict.outcome === 'missed')} | ${tally(({ verdict }) => verdict.outcome === 'invented')} | ${tally(({ verdict }) => verdict.spoiledText)} | ${kinds.join(', ')} |`,
    );
  }
  for (const { name, failures } of rows) {
    print(`\n## ${name}\n\n~~~text`);
    const [...kinds] = Map.groupBy(failures, ({ one }) => one.kind).values();
    for (const failure of kinds.flatMap((of) => of.slice(0, Math.max(1, Math.ceil(show / kinds.length)))))
      printText(failure, 700);
    print('~~~');
  }
}
