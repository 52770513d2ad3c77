import { extractToolCalls, type ExtractOptions } from '@haft/repair/calls';
import type { TextCase } from '@haft-tooling/corpora/tool-call-texts';
import { followCalls, makeCallless, makeTexts, readFixtures } from '@haft-tooling/corpora/tool-call-texts';
import { isJsonOf, isSameValue } from '@haft-tooling/corpora/same-value';
import { atLeast, countRow, type BenchmarkOptions, type MeasuredRow } from '@haft-tooling/measure';
import { cutEvenly } from '@haft-tooling/corpora/streamed-arguments';

const lengths = [1, 2, 3, 7, 16, Number.POSITIVE_INFINITY] as const;
const splits = ['development', 'held-out'];

interface Counts {
  readings: number;
  /** Whether the result equals that of the whole text, and the deltas join to the arguments. */
  same: number;
  /** Whether exactly the intended calls were found. */
  exact: number;
}

/** Streams every text in chunks of every length. */
export function measureChunkings({ full, log }: BenchmarkOptions): readonly MeasuredRow[] {
  const { examples, probes } = readFixtures();
  const generated = splits.flatMap((split) => [
    ...makeTexts(split, full ? 10 : 1),
    ...makeCallless(split, full ? 10 : 1),
  ]);
  const pieces = 'in chunks of 1, 2, 3, 7, 16 characters and at once';
  const rows: MeasuredRow[] = [];
  for (const [what, texts, most] of [
    ['The examples of 46 envelopes and the probes', [...examples, ...probes], 99],
    ['Generated texts', generated, 98],
  ] as const) {
    log(`  ${texts.length} texts ${pieces}`);
    const { readings, same, exact } = count(texts);
    const row = (of: string, share: number, least: number): MeasuredRow =>
      countRow(`${what} (${texts.length}) ${pieces}: ${of}`, '%', (100 * share) / readings, {}, atLeast(least, '%'));
    rows.push(row('the same result as the whole text', same, 100), row('exactly the intended calls', exact, most));
  }
  return rows;
}

function count(texts: readonly TextCase[]): Counts {
  const counts = { readings: 0, same: 0, exact: 0 };
  for (const { text, tools, stopped, expected } of texts) {
    const options: ExtractOptions = { tools, ...(stopped === undefined ? {} : { stopped }) };
    const whole = extractToolCalls(text, options);
    for (const length of lengths) {
      const pieces = length === Number.POSITIVE_INFINITY ? [text] : cutEvenly(text, length);
      const { deltas, ...streamed } = followCalls(pieces, options);
      const areArguments = streamed.calls.every((call, index) => isJsonOf(deltas[index] ?? '', call.arguments));
      const calls = streamed.calls.map((call) => ({ name: call.name, arguments: call.arguments }));
      counts.readings += 1;
      if (areArguments && isSameValue(streamed, whole)) counts.same += 1;
      if (isSameValue(calls, expected)) counts.exact += 1;
    }
  }
  return counts;
}
