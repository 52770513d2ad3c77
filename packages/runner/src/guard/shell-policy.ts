import {
  aFunction,
  arrayOf,
  aString,
  oneOf,
  recordOf,
  required,
  checkOptions,
  type OptionTable,
} from '@haft/core/options';
import type { Guardrail, GuardrailVerdict } from './guardrail.ts';

/** A command line taken apart: what `parseShell` of `@haft/permission` gives. */
export interface ShellReading {
  /** False when the line couldn't be taken apart completely. */
  readonly isWhole: boolean;
  readonly commands: readonly {
    readonly words: readonly { readonly text: string; readonly isLiteral: boolean }[];
    readonly redirections: readonly { readonly operator: string; readonly target: { readonly text: string } }[];
    readonly pipeline: number;
  }[];
}

/** What command lines are held to. */
export interface ShellPolicyOptions {
  /** Takes a line apart without running it: `parseShell` of `@haft/permission`. */
  readonly parse: (line: string) => ShellReading;
  /**
   * `strict`: no line that can't be taken apart, no code that is piped into an interpreter or built at run time, no `cd`,
   * no output into files. `relaxed` allows the last two. `verify` runs nothing but the commands of `verifying`. Default `strict`.
   */
  readonly profile?: 'strict' | 'relaxed' | 'verify';
  /** The argument that holds the line, by name of the tool; default `{ bash: 'command' }`. */
  readonly tools?: Readonly<Record<string, string>>;
  /** What `verify` allows: beginnings of commands, word by word, such as `npm test`. */
  readonly verifying?: readonly string[];
  readonly name?: string;
}

const interpreters = /^(?:ba|z|da|k|fi|a)?sh$|^(?:python|node|perl|ruby|php|deno|bun|lua)[\d.]*$/;
const defaultChecks: readonly string[] =
  'cat,head,tail,wc,ls,grep,rg,diff,stat,file,pwd,echo,test,true,git status,git diff,git log,git show,npm test,npm run test,npm run lint,pnpm test,pnpm lint,yarn test,npx tsc --noEmit,npx vitest run,node --test,pytest,go test,go vet,cargo test,cargo check,make test'.split(
    ',',
  );

const table: OptionTable<ShellPolicyOptions> = {
  parse: required(aFunction),
  profile: oneOf('strict', 'relaxed', 'verify'),
  tools: recordOf(aString),
  verifying: arrayOf(aString),
  name: aString,
};

/**
 * Holds command lines to a policy, besides what permission says of them: a model in a narrow role, or one that likes to
 * pipe downloads into a shell. It reads what is written; it is no jail, and a program that runs does what it likes.
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
      if (typeof line !== 'string') return reject('its command is no text', 'Give the command as text.');
      const reading = parse(line);
      if (!reading.isWhole) return reject("the command can't be taken apart", 'Write it plainer, in several calls.');
      return judge(reading, profile, checks);
    },
  };
}

function judge(
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
    if (first && !first.isLiteral)
      return reject('which program runs is worked out only at run time', 'Name the program.');
    if (program === 'eval' || (interpreters.test(program) && isOpaque(rest, isPiped)))
      return reject(
        `what ${program} is to run can't be read from the command`,
        'Run the commands themselves, or a file.',
      );
    if (profile === 'relaxed') continue;
    if (program === 'cd')
      return reject('cd is not allowed', 'Use paths, or the working directory argument of the tool.');
    const output = redirections.find(
      ({ operator, target }) => operator.includes('>') && writesFile(operator, target.text),
    );
    if (output) return reject('output into files is not allowed', 'Use the tools for writing files.');
    if (profile === 'verify' && first && !checks.some((check) => check.every((word, at) => words[at]?.text === word)))
      return reject(`${program} is not among the commands for verifying`, 'Run tests and look at files, nothing else.');
  }
  return undefined;
}

/** Code that is no file and stands nowhere in the line: from a pipe, or from a variable. */
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
