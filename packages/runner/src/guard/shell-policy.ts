import {
  functionKind,
  arrayOf,
  stringKind,
  oneOf,
  recordOf,
  required,
  checkOptions,
  type OptionTable,
} from '@haft/core/options';
import type { Guardrail, GuardrailVerdict } from './guardrail.ts';

/** A parsed command line, as `parseShell` of `@haft/permission` returns it. */
export interface ShellReading {
  /** False if parts of the line could not be parsed. */
  readonly isWhole: boolean;
  readonly commands: readonly {
    readonly words: readonly { readonly text: string; readonly isLiteral: boolean }[];
    readonly redirections: readonly { readonly operator: string; readonly target: { readonly text: string } }[];
    readonly pipeline: number;
  }[];
}

/** Options of {@link shellPolicy}. */
export interface ShellPolicyOptions {
  /** Parses a line without running it: `parseShell` of `@haft/permission`. */
  readonly parse: (line: string) => ShellReading;
  /**
   * `strict` rejects lines that cannot be parsed, code piped into an interpreter or built at run time, `cd`, and output
   * to files. `relaxed` allows the last two. `verify` allows only the commands of `verifying`. Default `strict`.
   */
  readonly profile?: 'strict' | 'relaxed' | 'verify';
  /** Name of the argument with the command line, by tool name; default `{ bash: 'command' }`. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Commands that `verify` allows, as leading words such as `npm test`. */
  readonly verifying?: readonly string[];
  readonly name?: string;
}

const interpreters = /^(?:ba|z|da|k|fi|a)?sh$|^(?:python|node|perl|ruby|php|deno|bun|lua)[\d.]*$/;
const defaultChecks: readonly string[] =
  'cat,head,tail,wc,ls,grep,rg,diff,stat,file,pwd,echo,test,true,git status,git diff,git log,git show,npm test,npm run test,npm run lint,pnpm test,pnpm lint,yarn test,npx tsc --noEmit,npx vitest run,node --test,pytest,go test,go vet,cargo test,cargo check,make test'.split(
    ',',
  );

const table: OptionTable<ShellPolicyOptions> = {
  parse: required(functionKind),
  profile: oneOf('strict', 'relaxed', 'verify'),
  tools: recordOf(stringKind),
  verifying: arrayOf(stringKind),
  name: stringKind,
};

/**
 * Applies a policy to command lines in addition to permission, for example for a model with a narrow role. It checks
 * the text of the command and is not a jail: a started program can do anything.
 */
export function shellPolicy(options: ShellPolicyOptions): Guardrail {
  checkOptions('shellPolicy', options, table, '{ parse: parseShell }');
  const { parse, profile = 'strict', tools = { bash: 'command' }, name = 'shell-policy' } = options;
  const checks = (options.verifying ?? defaultChecks).map((check) => check.split(' '));
  return {
    name,
    kind: 'policy',
    before({ call, arguments: args }) {
      const key = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
      if (key === undefined) return undefined;
      const line = (args as Readonly<Record<string, unknown>> | null)?.[key];
      if (typeof line !== 'string') return reject('its command is not a string', 'Pass the command as a string.');
      const reading = parse(line);
      if (!reading.isWhole) return reject("the command can't be parsed", 'Write simpler commands in several calls.');
      return findViolation(reading, profile, checks);
    },
  };
}

function findViolation(
  { commands }: ShellReading,
  profile: NonNullable<ShellPolicyOptions['profile']>,
  checks: readonly (readonly string[])[],
): GuardrailVerdict {
  const pipelines = new Set<number>();
  for (const { words, redirections, pipeline } of commands) {
    const [first, ...rest] = words;
    const isPiped = pipelines.has(pipeline);
    pipelines.add(pipeline);
    const program = first?.text.split('/').at(-1) ?? '';
    if (first && !first.isLiteral) return reject('the program name is only known at run time', 'Name the program.');
    if (program === 'eval' || (interpreters.test(program) && isOpaque(rest, isPiped)))
      return reject(`the code that ${program} runs is not in the command`, 'Run the commands themselves, or a file.');
    if (profile === 'relaxed') continue;
    if (program === 'cd')
      return reject('cd is not allowed', 'Use paths, or the working directory argument of the tool.');
    const output = redirections.find(
      ({ operator, target }) => operator.includes('>') && writesFile(operator, target.text),
    );
    if (output) return reject('output to files is not allowed', 'Use the tools for writing files.');
    if (profile === 'verify' && first && !checks.some((check) => check.every((word, at) => words[at]?.text === word)))
      return reject(`${program} is not a command for verifying`, 'Only run tests and read files.');
  }
  return undefined;
}

/** Code from a pipe or a variable instead of a file or the command line. */
function isOpaque(args: ShellReading['commands'][number]['words'], isPiped: boolean): boolean {
  const code = args.findIndex(({ text }) => /^-[a-z]*[ce]$|^--eval$/.test(text));
  if (code >= 0) return args[code + 1]?.isLiteral !== true;
  const names = args.filter(({ text }) => !text.startsWith('-'));
  return isPiped && (names.length === 0 || args.some(({ text }) => text === '-' || text === '-s'));
}

function writesFile(operator: string, target: string): boolean {
  const isCopy = operator.endsWith('>&') && /^\d+$|^-$/.test(target);
  return !isCopy && target !== '/dev/null';
}

function reject(reason: string, hint: string): GuardrailVerdict {
  return { reject: reason, hint: `Nothing was run. ${hint}` };
}
