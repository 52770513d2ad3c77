import type { RunCommand } from '../run/run-command.ts';
import type { Language, LanguageEffect } from '../programs/languages.ts';
import { isOwn, isOwnModule, type OwnFiles } from './files-written-by-line.ts';
import { readOptions, type ReadOption } from '../programs/read-options.ts';
import type { RunWord } from '../run/run-word.ts';
import { isInput } from '../scripts/sed-script.ts';

/** Modules that run code from their arguments. */
const runsGivenCode =
  /^(?:timeit|pdb|bdb|code|codeop|asyncio|idlelib|IPython|ipykernel|ptpython|bpython|runpy|trace|jupyter_console|xonsh|coconut|hy)(?:\.|$)/;
/** Modules that a program may load without a question: their names alone show that they are installed. */
const installed = /^(?:@[\w.-]+\/)?[A-Za-z_][\w-]*(?:(?:\/|::)[\w.-]+)*(?:=[\w,:+-]*)?$/;
const reporters = /^(?:spec|tap|dot|junit|lcov)$/;

/**
 * Returns the uncertainty of a command that runs a language. Returns undefined if it runs a script of the workspace, or
 * nothing.
 */
export function uncertaintyOfLanguage(
  { program, args }: RunCommand,
  language: Language,
  own: OwnFiles,
  isFed: boolean,
): string | undefined {
  const code = `it runs code in another language (${program})`;
  let read = readOptions(args, language.options, 'module');
  const options = [...read.options];
  const [command] = read.operands;
  if (command && language.runs?.test(command.text) === true) return code;
  if (command && language.commands?.test(command.text) === true) {
    read = readOptions(read.operands.slice(1), language.options);
    options.push(...read.options);
  }
  let hasModule = false;
  for (const option of options) {
    const { effect, value } = option;
    if (effect === 'code') return code;
    if (effect === undefined && !isPlain(option, args, language))
      return `the effect of ${option.name.slice(0, 40)} on ${program} is unknown`;
    if (effect === 'module') {
      hasModule = true;
      const name = value?.text ?? '';
      if (value?.isKnown !== true || runsGivenCode.test(name)) return code;
      if (isOwnModule(name, own)) return `it runs ${name.slice(0, 40)}, which it writes itself`;
    }
    if (effect === 'loads' && (value === undefined || !isInstalled(option.name, value) || isOwn(value, own)))
      return `${program} loads ${(value?.text ?? 'a file').slice(0, 40)}`;
  }
  const [script] = read.operands;
  // A module may run a file from its arguments, as `cProfile` does.
  if (hasModule) return read.operands.some(({ text }) => text !== '-' && isInput(text)) ? code : undefined;
  if (script === undefined) return isFed ? code : undefined;
  if (isInput(script.text) || script.nested.length > 0 || script.text.includes('{}')) return code;
  if (/^[a-z][a-z\d+.-]+:/i.test(script.text) && !/^[a-z]:[\\/]/i.test(script.text))
    return `${program} runs ${script.text.slice(0, 40)}`;
  return isOwn(script, own) ? `it runs ${script.text.slice(0, 40)}, which it writes itself` : undefined;
}

function isPlain({ name }: ReadOption<LanguageEffect>, args: readonly RunWord[], { plain }: Language): boolean {
  if (!plain) return false;
  return args.some(({ text }) => text.startsWith(name) && plain.test(text));
}

function isInstalled(option: string, { text, isKnown }: RunWord): boolean {
  if (option === '--test-reporter') return reporters.test(text);
  return isKnown && installed.test(text);
}
