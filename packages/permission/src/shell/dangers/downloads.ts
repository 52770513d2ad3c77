import type { ExpandedShell, RunCommand } from '../run/run-command.ts';
import { shells } from '../programs/programs.ts';

/** The downloads of a command line. */
export interface Downloads {
  /** Names of the files that downloads are written to, without `./`. */
  readonly files: ReadonlySet<string>;
  /** For each pipeline, the index of its first download. */
  readonly pipelines: ReadonlyMap<number, number>;
}

const downloaders: ReadonlySet<string> = new Set('curl wget fetch aria2c http https invoke-webrequest iwr'.split(' '));
const interpreters: ReadonlySet<string> = new Set(
  'python python2 python3 node perl ruby php source . eval iex pwsh powershell deno bun'.split(' '),
);

/** Finds the downloads of a line and their target files. */
export function findDownloads({ commands }: ExpandedShell): Downloads {
  const files = new Set<string>();
  const pipelines = new Map<number, number>();
  for (const [place, run] of commands.entries()) {
    if (!downloaders.has(run.program)) continue;
    if (!pipelines.has(run.pipeline)) pipelines.set(run.pipeline, place);
    for (const name of filesOf(run)) if (name !== '' && name !== '-') files.add(plainName(name));
  }
  return { files, pipelines };
}

/** Returns whether the command at an index of its line runs a download of the line. */
export function runsDownload(run: RunCommand, place: number, downloads: Downloads): boolean {
  // `./x` after `curl -o x`
  if (run.written.includes('/') && downloads.files.has(plainName(run.written))) return true;
  if (!shells.has(run.program) && !interpreters.has(run.program)) return false;
  // `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(curl …)"`
  if (run.args.some(({ nested }) => nested.some(({ words }) => isDownloader(words[0]?.text)))) return true;
  const file = run.args.find(({ text }) => !text.startsWith('-'))?.text;
  if (file !== undefined && downloads.files.has(plainName(file))) return true;
  // `curl … | sh`. If the shell has a script of its own, the piped input is data.
  const reads =
    file === undefined || run.args.some(({ text }) => text === '-s' || text === '-' || text === '/dev/stdin');
  const download = downloads.pipelines.get(run.pipeline);
  return reads && download !== undefined && download < place;
}

function filesOf({ args, command }: RunCommand): readonly string[] {
  const texts = args.map(({ text }) => text);
  const named = texts.flatMap((text, index) => {
    if (/^(?:-o|-O|--output|--output-document)$/.test(text)) return [texts[index + 1] ?? ''];
    const joined = /^(?:-[a-zA-Z]*[oO]|--output=|--output-document=)(.+)$/.exec(text);
    return joined?.[1] === undefined ? [] : [joined[1]];
  });
  const redirected = command.redirections
    .filter(({ operator }) => operator.startsWith('>'))
    .map(({ target }) => target.text);
  // `wget` and `curl -O` name the file after the URL.
  const addresses = texts
    .filter((text) => /^[a-z]+:\/\//i.test(text))
    .map((text) => text.replace(/[?#][^]*$/, '').replace(/^.*\//, ''));
  return [...named, ...redirected, ...addresses];
}

function isDownloader(program: string | undefined): boolean {
  return program !== undefined && downloaders.has(program.slice(program.lastIndexOf('/') + 1).toLowerCase());
}

function plainName(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '');
}
