import type { RunCommand } from './expand-commands.ts';
import type { RunWord } from './run-word.ts';

/** A word, and the part of it that is run as a command line. */
export interface GivenLine {
  readonly word: RunWord;
  readonly text: string;
}

const terminals = 'xterm urxvt konsole gnome-terminal alacritty kitty lxterminal foot'.split(' ');
const editors: ReadonlySet<string> = new Set('vi vim nvim view gvim ex vimdiff rvim'.split(' '));

/** Options after which a program of another name expects a command line. */
const linesAfter: ReadonlyMap<string, RegExp> = new Map([
  ['tar', /^(?:-I|-F|--use-compress-program|--to-command|--info-script|--new-volume-script|--rsh-command)$/],
  ['rsync', /^(?:-e|--rsh)$/],
  ['man', /^(?:-P|--pager)$/],
  ['nc', /^-[ec]$/],
  ['netcat', /^-[ec]$/],
  ['ncat', /^(?:-[ec]|--exec|--sh-exec)$/],
  ['zip', /^(?:-TT|--unzip-command)$/],
  ['tcpdump', /^-z$/],
  ['split', /^--filter$/],
  ['sort', /^--compress-program$/],
  ['scp', /^-S$/],
  ['sftp', /^-S$/],
  ['complete', /^-C$/],
  ...terminals.map((name) => [name, /^(?:-e|-x|--command|--execute)$/] as const),
]);
/** Words in which one begins. */
const linesIn: ReadonlyMap<string, RegExp> = new Map([
  ['split', /^--filter=([^]+)$/],
  ['man', /^(?:--pager=|-P)([^]+)$/],
  ['tar', /^-I([^]+)$/],
  ['rsync', /^-e([^]+)$/],
  ['socat', /^(?:EXEC|SYSTEM|SHELL):([^,]+)/i],
  ['bind', /^[^:]+:([^]+)$/],
  ['less', /^\+[^!]*!([^]+)$/],
  ['sqlite3', /^\.(?:shell|system)\s+([^]+)$/],
  ...['ssh', 'scp', 'sftp'].map(
    (name) => [name, /^(?:-o\s*)?(?:Proxy|Local|Remote|KnownHosts)Command[= ]\s*([^]+)$/i] as const,
  ),
  ...[...editors].map((name) => [name, /^[^!]*!([^]+)$/] as const),
]);

/** Command lines that a program is given in its own way, such as `tar -I`, `ssh -o ProxyCommand=…` or `vim -c '!…'`. */
export function givenLines({ program, args }: RunCommand): readonly GivenLine[] {
  const after = linesAfter.get(program);
  const inside = linesIn.get(program);
  if (!after && !inside) return [];
  return args.flatMap((word, index) => {
    const text = inside?.exec(word.text)?.[1];
    if (text !== undefined) return [{ word, text }];
    return after?.test(args[index - 1]?.text ?? '') === true ? [{ word, text: word.text }] : [];
  });
}

/** Builtins of the shell that give a name or a key another meaning, with the options for it. */
const changesShell: ReadonlyMap<string, RegExp> = new Map([
  ['enable', /^-[a-z]*f/],
  ['hash', /^-[a-z]*p/],
  ['bind', /^-[a-z]*[xf]/],
  ['complete', /^-[CF]/],
  ['history', /^-[a-z]*[sr]/],
]);

const gitSetting =
  /^(?:alias\.|core\.(?:hookspath|pager|editor|sshcommand|fsmonitor|askpass|gitproxy|attributesfile)|sequence\.editor|diff\.external|pager\.|credential\.|include(?:if)?\.|gpg\.|init\.templatedir|(?:filter|diff|merge|difftool|mergetool|browser|man|interactive|tar|uploadpack|receive)\.|url\.)/i;

/** What makes a program run something that its words only hint at, for people; `undefined` for most. */
export function doubtOfProgram({ program, args }: RunCommand, isFed: boolean): string | undefined {
  const has = (option: RegExp): boolean => args.some(({ text }) => option.test(text));
  if (editors.has(program) || program === 'ed' || program === 'red' || program === 'emacs') {
    const isGiven = has(/^(?:-[cSs]|--cmd|--eval|--execute|--load|-l|-f|--batch|-es|\+.*)$/);
    return isGiven || isFed ? `${program} is given commands that may do anything` : undefined;
  }
  if ((program === 'less' || program === 'more') && has(/^\+(?!\d*[GgFp]?$|\/)/))
    return `${program} is given commands that may do anything`;
  if (program === 'make' || program === 'gmake')
    return has(/^(?:--eval(?:=|$)|-E|SHELL=.*\s|\.SHELLFLAGS=|MAKEFLAGS=)/)
      ? `${program} is given rules that run anything`
      : undefined;
  if (program === 'git') return doubtOfGit(args);
  const changes = changesShell.get(program);
  if (changes && has(changes)) return `${program} changes what the shell runs`;
  if (program === 'fc') return 'fc runs earlier lines again';
  if (/^(?:nc|netcat|ncat)$/.test(program) && has(/^(?:-[a-z]*[ec]|--exec|--sh-exec|--lua-exec)$/))
    return `${program} gives others a program to use`;
  if (program === 'socat' && has(/^(?:EXEC|SYSTEM|SHELL):/i)) return 'socat gives others a program to use';
  if (program === 'crontab' && !has(/^-[lr]$/)) return 'crontab has something run later';
  return undefined;
}

function doubtOfGit(args: readonly RunWord[]): string | undefined {
  const words = args.map(({ text }) => text);
  if (words.some((text) => /^--(?:exec-path|config-env)=/.test(text)))
    return 'git is told to run other programs than its own';
  const at = words.indexOf('config');
  const isSet = words.some(
    (text, index) =>
      gitSetting.test(text) && ((at !== -1 && index > at && index < words.length - 1) || words[index - 1] === '-c'),
  );
  return isSet ? 'git is set to run something' : undefined;
}

/** Whether the script of a `sed` reads or writes files, or runs something, without the blank before their names. */
export function opensFilesInSed({ args }: RunCommand): boolean {
  const isGiven = args.some(({ text }) => /^(?:-e|--expression|-f|--file)/.test(text));
  const scripts = args.filter(({ text }, index) =>
    isGiven
      ? /^(?:-e|--expression)$/.test(args[index - 1]?.text ?? '') || /^(?:-e|--expression=)./.test(text)
      : index === args.findIndex((other) => !other.text.startsWith('-')),
  );
  return scripts.some(({ text }) =>
    /(?:^|[;{}\n$\d])\s*[rRwW][./~\w-]/.test(text.replace(/^(?:-e|--expression=)/, '')),
  );
}
