import type { ExpandedShell, RunCommand } from '../run/run-command.ts';
import { writtenLines } from '../programs/lines-inside-programs.ts';
import { uncertaintyOfLanguage } from './language-uncertainty.ts';
import { languageOf } from '../programs/languages.ts';
import { findOwnFiles, isOwn, runsOwnFile, type OwnFiles } from './files-written-by-line.ts';
import { uncertaintyOfProgram } from './program-uncertainty.ts';
import { opensNothing, shells } from '../programs/programs.ts';
import { changesWhatRuns } from '../programs/program-settings.ts';
import type { RunWord } from '../run/run-word.ts';
import { readsLines } from '../programs/starts-shell.ts';
import { isWrapperName, placeholder } from '../programs/wrappers.ts';

/**
 * Returns what the text of a line does not reveal: which program, which code or which files. The user judges these
 * uncertainties. A line without uncertainties does what its words say, as far as the programs it names do.
 */
export function findUncertainties(expanded: ExpandedShell): readonly string[] {
  const uncertainties = new Set<string>();
  const { commands, redirections, assigned } = expanded;
  if (!expanded.isWhole) uncertainties.add('it could not be parsed completely');
  for (const uncertainty of expanded.evaluationUncertainties) uncertainties.add(uncertainty);
  if (expanded.runsUnknownText) uncertainties.add('it runs a text that it creates itself');
  for (const [name, values] of assigned)
    if (values.some((value) => changesWhatRuns(name, value)))
      uncertainties.add(`it sets ${name}, which changes what runs`);
  for (const { target } of redirections) if (!target.isKnown) uncertainties.add(`the file ${shown(target)} is unknown`);
  const own = findOwnFiles(expanded);
  // For each pipeline, the kind of its preceding commands: undefined for none, otherwise whether their output is
  // spelled out in the line.
  const before = new Map<number, 'spelt out' | 'open'>();
  const feeds = new Map<number, 'spelt out' | 'open' | undefined>();
  for (const run of commands) {
    // The input of a wrapper is also the input of the command that it runs.
    if (run.isDirect) feeds.set(run.pipeline, before.get(run.pipeline));
    // A text that is given directly takes precedence over a shared input, and its own lines are judged.
    const fed = feeds.get(run.pipeline) ?? (expanded.feedsGroup ? 'open' : undefined);
    const uncertainty = uncertaintyOfCode(run, own, isGivenText(run) ? 'spelt out' : fed);
    if (run.isDirect && before.get(run.pipeline) !== 'open')
      before.set(run.pipeline, writtenLines(run)?.every(({ isKnown }) => isKnown) === true ? 'spelt out' : 'open');
    if (uncertainty !== undefined) uncertainties.add(uncertainty);
    if (setsVariables.has(run.program)) for (const own of uncertaintiesOfVariables(run)) uncertainties.add(own);
    if (run.isDirect) for (const own of uncertaintiesOfWords(run)) uncertainties.add(own);
  }
  if (commands.some(definesAlias)) uncertainties.add('it gives a command another name');
  return [...uncertainties];
}

/** Programs that set variables for themselves or for the command that they run. */
const setsVariables: ReadonlySet<string> = new Set(
  'env export declare typeset local readonly sudo doas cross-env'.split(' '),
);

// Maximum number of words of a wrapper that may set variables. They precede the command.
const maxLeading = 40;

function uncertaintiesOfVariables({ program, args }: RunCommand): readonly string[] {
  const uncertainties: string[] = [];
  for (const { text } of isWrapperName(program) ? args.slice(0, maxLeading) : args) {
    if (!text.includes('=')) continue;
    const [, name, value = ''] = /^(BASH_FUNC_[^=]*|[A-Za-z_]\w*)\+?=([^]*)$/.exec(text) ?? [];
    if (name !== undefined && changesWhatRuns(name, value))
      uncertainties.push(`it sets ${name}, which changes what runs`);
  }
  return uncertainties;
}

/** Returns whether a command defines an alias. Some shells expand aliases in scripts, too. */
function definesAlias({ program, args }: RunCommand): boolean {
  return (
    program === 'alias' && args.some(({ text, isKnown, glob }) => !isKnown || glob !== undefined || text.includes('='))
  );
}

/** An option of `find` or `fd` that a command follows. */
const execOption = /^(?:-exec(?:dir)?|-ok(?:dir)?|-[xX]|--exec(?:-batch)?)$/;

function uncertaintiesOfWords(run: RunCommand): readonly string[] {
  const { program, args } = run;
  if (!run.isNamed) return [`the program ${run.written.slice(0, 40)} is unknown`];
  const uncertainties: string[] = [];
  if (program === 'shopt' || (program === 'set' && changesReading(args)))
    uncertainties.push('it changes how the shell reads the line');
  if (/^(?:declare|typeset|local|export)$/.test(program) && args.some(({ text }) => /^-[a-zA-Z]*n/.test(text)))
    uncertainties.push('it gives a variable the name of another one');
  if (program === 'parallel' || program === 'entr') {
    const inner = args.find(
      ({ text }, index) => !text.startsWith('-') && !/^-[nIPLdEsa]$/.test(args[index - 1]?.text ?? ''),
    );
    if (inner === undefined || !opensNothing.has(inner.text)) uncertainties.push(`${program} gets unknown words`);
  }
  if (args.some(({ text }, index) => text.includes(placeholder) && execOption.test(args[index - 1]?.text ?? '')))
    uncertainties.push(`${program} runs the files that it finds`);
  if (opensNothing.has(program)) return uncertainties;
  const unknown = args.find(({ isKnown }) => !isKnown);
  if (unknown) uncertainties.push(`the value of ${shown(unknown)} is unknown`);
  return uncertainties;
}

/** Returns whether options of `set` change how words are read. */
function changesReading(args: readonly RunWord[]): boolean {
  for (const [index, { text }] of args.entries()) {
    if (text === '--' || !/^[-+]/.test(text)) return false;
    if (!/^[-+][euxvnmbCEhT]*o?$/.test(text)) return true;
    if (text.endsWith('o')) {
      const name = args[index + 1]?.text ?? '';
      if (!/^(?:pipefail|errexit|nounset|xtrace|noclobber|verbose|monitor|notify|errtrace|functrace|)$/.test(name))
        return true;
      return changesReading(args.slice(index + 2));
    }
  }
  return false;
}

function uncertaintyOfCode(
  run: RunCommand,
  own: OwnFiles,
  before: 'spelt out' | 'open' | undefined,
): string | undefined {
  const { program, args } = run;
  const isShell = shells.has(program);
  const language = isShell ? undefined : languageOf(program);
  const readsFile = isShell || program === 'source' || program === '.';
  const file = readsFile
    ? (args.find((word) => isOwn(word, own)) ??
      run.command.redirections.find(
        ({ operator, target }) => operator === '<' && isOwn({ ...noWord, text: target.text }, own),
      )?.target)
    : run.written.includes('/') && isOwn({ ...noWord, text: run.written }, own)
      ? { text: run.written }
      : undefined;
  if (file) return `it runs ${file.text.slice(0, 40)}, which it writes itself`;
  if (runsOwnFile(run, own)) return `${program} runs a file that the line writes itself`;
  if ((readsFile || language) && args.some(({ nested, text }) => nested.length > 0 || text.startsWith('/dev/fd/')))
    return 'it runs the output of other commands';
  const isFed = isFedByFile(run) || before !== undefined;
  if (language) {
    const uncertainty = uncertaintyOfLanguage(run, language, own, isFed);
    if (uncertainty !== undefined) return uncertainty;
  }
  if (isShell && !args.some(({ text }) => /^-[a-z]*c/i.test(text))) {
    const script = args.find(({ text }) => !text.startsWith('-') || text === '-');
    const readsInput = script === undefined || args.some(({ text }) => /^(?:-|-s|\/dev\/stdin)$/.test(text));
    if (readsInput && before === 'open') return 'a shell runs the output of other commands';
    if (args.some(({ text }) => text.includes('{}'))) return 'it runs files that another program finds';
  }
  if (!isShell && before === 'open' && readsLines(run)) return 'a shell runs the output of other commands';
  return uncertaintyOfProgram(run, isFed);
}

const noWord: RunWord = { text: '', isKnown: true, glob: undefined, hasQuotedPattern: false, nested: [] };

/** Returns whether a shell reads only a text of the line. */
function isGivenText({ program, isDirect, command }: RunCommand): boolean {
  const inputs = command.redirections.filter(({ operator }) => operator.startsWith('<'));
  return (
    isDirect && shells.has(program) && inputs.length > 0 && inputs.every(({ operator }) => operator.startsWith('<<'))
  );
}

function isFedByFile({ command }: RunCommand): boolean {
  return command.redirections.some(({ operator }) => operator.startsWith('<') && operator !== '<&');
}

function shown({ text }: RunWord): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
