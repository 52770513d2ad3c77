import type { ExpandedShell, RunCommand } from './expand-commands.ts';
import { doubtOfProgram, opensFilesInSed } from './given-lines.ts';
import { writtenLines } from './inner-lines.ts';
import { changesPrograms, filters, interpreters, opensNothing, shells } from './programs.ts';
import type { RunWord } from './run-word.ts';
import { readsLines } from './starts-shell.ts';

/**
 * Says what of a line can't be told from its text: which program runs, which code, which files. What is in doubt is for a
 * person to judge; a line without doubts does what its words say, as far as the programs it names do.
 */
export function findDoubts(expanded: ExpandedShell): readonly string[] {
  const doubts = new Set<string>();
  const { commands, redirections, assigned } = expanded;
  if (!expanded.isWhole) doubts.add('it could not be read to its end');
  for (const doubt of expanded.evaluationDoubts) doubts.add(doubt);
  if (expanded.runsUnknownText) doubts.add('it runs a text that it makes while it runs');
  for (const name of assigned) if (changesPrograms.test(name)) doubts.add(`it sets ${name}, which changes what runs`);
  for (const { target } of redirections)
    if (!target.isKnown) doubts.add(`it can't be told which file ${shown(target)} is`);
  const written = writtenFiles(expanded);
  // Of each pipeline, what came before: whether anything did, and whether that is spelt out.
  const before = new Map<number, 'spelt out' | 'open'>();
  for (const run of commands) {
    const doubt = doubtOfCode(run, written, before.get(run.pipeline));
    if (run.isDirect && before.get(run.pipeline) !== 'open')
      before.set(run.pipeline, writtenLines(run)?.every(({ isKnown }) => isKnown) === true ? 'spelt out' : 'open');
    if (doubt !== undefined) doubts.add(doubt);
    if (run.isDirect) for (const own of doubtsOfWords(run)) doubts.add(own);
  }
  return [...doubts];
}

function doubtsOfWords(run: RunCommand): readonly string[] {
  const { program, args } = run;
  if (!run.isNamed) return [`it can't be told which program ${run.written.slice(0, 40)} is`];
  const doubts: string[] = [];
  if (program === 'shopt' || (program === 'set' && args.some(({ text }) => /^[-+]/.test(text))))
    doubts.push('it changes how the shell reads the line');
  if (
    program === 'env' ||
    program === 'export' ||
    program === 'declare' ||
    program === 'typeset' ||
    program === 'local'
  ) {
    for (const { text } of args) {
      const name = /^([A-Za-z_]\w*)\+?=/.exec(text)?.[1];
      if (name !== undefined && changesPrograms.test(name)) doubts.push(`it sets ${name}, which changes what runs`);
    }
  }
  if (program === 'xargs' || program === 'parallel' || program === 'entr') {
    const inner = args.find(
      ({ text }, index) => !text.startsWith('-') && !/^-[nIPLdEsa]$/.test(args[index - 1]?.text ?? ''),
    );
    if (inner === undefined || !opensNothing.has(inner.text)) doubts.push(`${program} gets words that can't be told`);
  }
  if (opensNothing.has(program)) return doubts;
  const unknown = args.find(({ isKnown }) => !isKnown);
  if (unknown) doubts.push(`it can't be told what ${shown(unknown)} stands for`);
  return doubts;
}

function doubtOfCode(
  run: RunCommand,
  written: ReadonlySet<string>,
  before: 'spelt out' | 'open' | undefined,
): string | undefined {
  const { program, args } = run;
  const script = args.find(({ text }) => !text.startsWith('-') || text === '-');
  const isShell = shells.has(program);
  const inline = interpreters.get(program);
  const reads = isShell || inline !== undefined || program === 'source' || program === '.';
  const file = reads ? script?.text : run.written.includes('/') ? run.written : undefined;
  if (file !== undefined && written.has(plainName(file))) return `it runs ${file.slice(0, 40)}, which it writes itself`;
  if (reads && args.some(({ nested, text }) => nested.length > 0 || text.startsWith('/dev/fd/')))
    return 'it runs what other commands print';
  if (inline) {
    if (args.some(({ text }) => text !== '' && inline.test(text)))
      return `it runs code in another language (${program})`;
    const isModule = args.some(({ text }) => text.startsWith('-m'));
    const isFed = isFedByFile(run) || before !== undefined;
    if (
      !isModule &&
      isFed &&
      (script === undefined || script.text === '-' || /^\/dev\/(?:stdin|fd\/)/.test(script.text))
    )
      return `it runs code in another language (${program})`;
  }
  if (isShell && !args.some(({ text }) => /^-[a-z]*c/i.test(text))) {
    const readsInput = script === undefined || args.some(({ text }) => /^(?:-|-s|\/dev\/stdin)$/.test(text));
    if (readsInput && before === 'open') return 'a shell runs what other commands print';
  }
  if (!isShell && before === 'open' && readsLines(run)) return 'a shell runs what other commands print';
  const suspicious = filters.get(program);
  if (suspicious && args.some(({ text }) => suspicious.test(text)))
    return `${program} is given a program that may do anything`;
  if ((program === 'sed' || program === 'gsed') && opensFilesInSed(run))
    return `${program} is given a program that may do anything`;
  return doubtOfProgram(run, isFedByFile(run) || before !== undefined);
}

function isFedByFile({ command }: RunCommand): boolean {
  return command.redirections.some(({ operator }) => operator.startsWith('<') && operator !== '<&');
}

/** Names of files that the line writes, without `./`. */
function writtenFiles({ commands, redirections }: ExpandedShell): ReadonlySet<string> {
  const names = redirections.filter(({ operator }) => operator.includes('>')).map(({ target }) => target.text);
  for (const { program, args } of commands) {
    if (program === 'tee') names.push(...args.map(({ text }) => text));
    if (program === 'cp' || program === 'mv' || program === 'ln' || program === 'install')
      names.push(args.at(-1)?.text ?? '');
    if (program === 'dd') names.push(...args.map(({ text }) => text.replace(/^of=/, '')));
    for (const [index, { text }] of args.entries())
      if (/^(?:-o|-O|--output|--output-document|--out)$/.test(text)) names.push(args[index + 1]?.text ?? '');
  }
  return new Set(names.filter((name) => name !== '').map(plainName));
}

function plainName(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '');
}

function shown({ text }: RunWord): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
