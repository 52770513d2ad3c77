import type { RunCommand } from '../run/run-command.ts';
import { shells } from './programs.ts';
import { isWrapper } from './wrappers.ts';
import type { RunWord } from '../run/run-word.ts';

const namesOutput =
  /^(?:-o|-O|-P|-D|-fprint0?|-fprintf|-fls|-out|--out(?:put)?(?:-(?:file|document|dir|directory))?|--outfile|--directory-prefix|--dump-header|--cookie-jar|--trace(?:-ascii)?|--stderr|--log-?file)$/;
const joinsOutput =
  /^--(?:out(?:put)?(?:-(?:file|document|dir|directory))?|outfile|directory-prefix|dump-header|cookie-jar|trace(?:-ascii)?|stderr|log-?file|target-directory)=/;

/** Matches `--output=x`, and `-ox` for programs where this means the same. */
function isJoinedToOutput(program: string, text: string): boolean {
  return joinsOutput.test(text) || (/^(?:curl|sort|gcc|g\+\+|cc|clang|ld|go)$/.test(program) && /^-o./.test(text));
}

/** Returns the words that a program writes to. */
export function writtenWords({ program, args }: RunCommand): readonly RunWord[] {
  if (/^(?:tee|truncate|touch|shred|rm|unlink|chmod|chown|mkfifo|mknod|patch)$/.test(program)) return args;
  if (/^(?:cp|mv|ln|install|rsync|scp)$/.test(program)) {
    const named = args.filter(
      ({ text }, index) =>
        /^(?:-t|--target-directory)$/.test(args[index - 1]?.text ?? '') || text.startsWith('--target-directory='),
    );
    const last = args.at(-1);
    return [...(program === 'mv' ? args : named), ...(last ? [last] : [])];
  }
  if (program === 'sed' || program === 'perl')
    return args.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(text)) ? args.slice(1) : [];
  if (program === 'dd') return args.filter(({ text }) => text.startsWith('of='));
  return args.filter(({ text }, index) => {
    const before = args[index - 1]?.text ?? '';
    return (
      (before.startsWith('-') && namesOutput.test(before)) || (text.startsWith('-') && isJoinedToOutput(program, text))
    );
  });
}

const readers: ReadonlySet<string> = new Set(
  (
    'cat tac head tail less more most bat nl od xxd hexdump hd strings file stat wc cksum sum md5sum sha1sum sha224sum sha256sum ' +
    'sha384sum sha512sum b2sum b3sum shasum diff colordiff delta cmp comm sdiff grep egrep fgrep zgrep rg ag ack ugrep find fd ' +
    'fdfind ls exa eza lsd tree du cut uniq tr paste join fold fmt column expand unexpand rev look jq yq base64 base32 readlink ' +
    'source . [ [[ test realpath namei getfacl lsattr exec read mapfile readarray cp tee rm mv ln install chmod chown touch'
  ).split(' '),
);

/** Returns whether a command is certain to write none of its files other than {@link writtenWords}. */
export function onlyReads({ program, written, args, isDirect }: RunCommand): boolean {
  if (readers.has(program) || shells.has(program) || isWrapper(program, args)) return true;
  // The word after a wrapper's options is not necessarily a program.
  if (!isDirect && !/^[A-Za-z_][\w.+/-]*$/.test(written)) return true;
  if (program === 'sort') return true;
  if (program !== 'git') return false;
  return !args.some(({ text }) =>
    /^(?:clone|init|worktree|submodule|config|archive|bundle|difftool|mergetool)$/.test(text),
  );
}
