/**
 * For developers of @haft/repair: lists the generated texts of the development seeds that are not read as meant, worst
 * class first. Does not show texts of the held-out seeds.
 */
import { parseArgs } from 'node:util';
import { damages, makeCompositions, makeSingles } from '@haft-tooling/corpora/damaged-json';
import { makeCallless, makeOutputs, makeTexts, readFixtures } from '@haft-tooling/corpora/tool-call-texts';
import { haft as extractor } from '@haft-tooling/peers/tool-call-texts/extractors';
import { haft, haftWithSchema } from '@haft-tooling/peers/damaged-json/readers';
import { judgeTexts } from './extract/judge-texts.ts';
import { hung, judgeCases } from './repair/reading/judge-cases.ts';

/** One text, the calls that were read, and whether they are right. */
interface Read {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  readonly meant: unknown;
  readonly shown: string;
  readonly isRight: boolean;
}

const usage =
  'node --conditions=@haft/source tooling/bench/src/misses.ts repair|extract [CLASS] [--count N] [--show N]\n';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '10' }, show: { type: 'string', default: '3' } },
});
const [area, wanted = ''] = positionals;
const [count, show] = [Number(values.count), Number(values.show)];
const row = 'development';
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (area === 'repair') report(await readDamagedJson());
else if (area === 'extract') report(await readTexts());
else process.stderr.write(usage);

async function readDamagedJson(): Promise<readonly Read[]> {
  const chosen = damages.filter(({ name, group }) => wanted === '' || wanted === name || wanted === group);
  const several = wanted === '' ? ([2, 3] as const).flatMap((size) => makeCompositions(row, size, count * 10)) : [];
  const cases = [...makeSingles(row, count, chosen), ...several];
  const read: Read[] = [];
  for (const reader of [haft, haftWithSchema]) {
    const own = cases.filter(({ group }) => (group === 'schema') === (reader === haftWithSchema));
    const answers = await judgeCases(reader.name, own, { caseMs: 5_000, show: true });
    for (const [index, { id, text, truth, group, damages: names }] of own.entries()) {
      const { verdict, shown = '' } = answers[index] ?? hung;
      const isRight = verdict.outcome === 'exact' || verdict.outcome === 'alternative';
      read.push({ id, group: names.length > 1 ? group : names.join(), text, meant: truth, shown, isRight });
    }
  }
  return read;
}

async function readTexts(): Promise<readonly Read[]> {
  const { examples, probes } = readFixtures();
  const made = [...makeTexts(row, count), ...makeCallless(row, count), ...makeOutputs(row, count)];
  const texts = [...examples, ...probes, ...made].filter(({ envelope }) => wanted === '' || wanted === envelope);
  const judged = await judgeTexts(extractor.name, texts, { textMs: 5_000, show: true });
  return judged.map(({ one, verdict: { outcome, spoiledText, shown = '' } }) => ({
    id: `${one.id} (${one.form}, ${one.kind})`,
    group: one.envelope,
    text: one.text,
    meant: one.expected,
    shown,
    isRight: outcome === 'exact' && !spoiledText,
  }));
}

function report(all: readonly Read[]): void {
  const missed = (of: readonly Read[]): readonly Read[] => of.filter(({ isRight }) => !isRight);
  print(`${all.length - missed(all).length} of ${all.length} as meant`);
  const groups = [...Map.groupBy(all, ({ group }) => group)]
    .map(([name, of]) => ({ name, of, misses: missed(of) }))
    .filter(({ misses }) => misses.length > 0)
    .toSorted((one, other) => other.misses.length / other.of.length - one.misses.length / one.of.length);
  for (const { name, of, misses } of groups) {
    print(`\n## ${name}: ${misses.length} of ${of.length} missed`);
    for (const { id, text, meant, shown } of misses.slice(0, show)) {
      print(`\n--- ${id}\ntext:  ${text}\nmeant: ${JSON.stringify(meant)}\nread:  ${shown}`);
    }
  }
}
