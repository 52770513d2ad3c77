/** One contender of a row, as written on the page. */
export interface Contender {
  readonly name: string;
  readonly value: number;
  /** The ratio to Haft by the best rounds, if the page has it. */
  readonly ratio?: number;
}

/** One row of a benchmark, as written on the page. */
export interface PageRow {
  readonly what: string;
  readonly unit: string;
  readonly haft: number;
  readonly peers: readonly Contender[];
  readonly bar: string;
  readonly holds: boolean;
}

const sectionPattern = /^<!-- bench:(\w+) -->\n(.*?)^<!-- \/bench:\1 -->\n/gms;
const rowPattern =
  /^\*\*(.+)\*\*; bar: (.+): (holds|missed)\n\n\| \| (.+) \| to Haft \|\n\|---\|---:\|---:\|\n((?:\|.*\n)+)/gm;

/** Reads the sections of the page, keyed by the name of the benchmark. */
export function readSections(page: string): ReadonlyMap<string, string> {
  return new Map([...page.matchAll(sectionPattern)].map(([, name = '', text = '']) => [name, text]));
}

/** Reads the rows of a section. */
export function readRows(section: string): readonly PageRow[] {
  return [...`${section}\n`.matchAll(rowPattern)].map(([, what = '', bar = '', state, unit = '', table = '']) => {
    const [haft, ...peers] = table.trimEnd().split('\n').map(readContender);
    if (haft?.name !== '**Haft**') throw new Error(`docs/benchmarks.md: Haft is missing in the table of ${what}`);
    return { what, unit, haft: haft.value, peers, bar, holds: state === 'holds' };
  });
}

function readContender(line: string): Contender {
  // A name may contain a bar; the two cells after it are numbers.
  const [, name = '', value = '', ratio = ''] = /^\| (.+) \| ([^|]*) \| ([^|]*) \|$/.exec(line) ?? [];
  return { name, value: readNumber(value), ...(ratio === '' ? {} : { ratio: readNumber(ratio) }) };
}

function readNumber(text: string): number {
  const digits = text.replaceAll(/[\s×]/g, '');
  return digits === '–' ? Number.NaN : Number(digits);
}
