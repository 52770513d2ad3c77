import type { RunCommand } from '../run/run-command.ts';
import { compileOptions, readOptions } from '../programs/read-options.ts';
import { isInput } from './sed-script.ts';

const options = compileOptions({
  program: '-e= --source=',
  file: '-f= -E= --file= --exec=',
  plain:
    '-F= -v= -V -b -c -C -g -h -M -n -N -O -P -r -s -S -t --field-separator= --assign= --csv -k --characters-as-bytes --traditional --version --help --posix --re-interval --sandbox --lint=? --bignum --optimize --non-decimal-data --use-lc-numeric --',
});

/**
 * Returns whether an `awk` command may do more than filter lines: run commands, open other files, or read a program
 * from its input.
 */
export function isOpenAwk({ args }: RunCommand): boolean {
  const read = readOptions(args, options);
  let hasProgram = false;
  for (const { effect, value } of read.options) {
    if (effect === undefined) return true;
    if (effect === 'plain') continue;
    hasProgram = true;
    if (value === undefined) return true;
    if (effect === 'file' ? isInput(value.text) : isOpenProgram(value.text)) return true;
  }
  const [first] = read.operands;
  return !hasProgram && first !== undefined && isOpenProgram(first.text);
}

const openNames = /^(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON|PROCINFO|popen|pipe|extension)$/;

/** Reads an awk program token by token. Returns true if it may do more than filter lines, or if it cannot be parsed. */
export function isOpenProgram(program: string): boolean {
  const token =
    /\s+|\\\n|#[^\n]*|"(?:\\[^]|[^"\\\n])*"|[A-Za-z_]\w*|\d[\w.]*|&&|\|\||\|&|>>|[<>=!+\-*%^]=|\+\+|--|[^]/y;
  let before = '';
  // In `print` and `printf`, `>` outside of brackets names a file.
  let prints = false;
  let depth = 0;
  for (let at = 0; at < program.length;) {
    token.lastIndex = at;
    let text = token.exec(program)![0];
    if (
      text === '/' &&
      (!/(?:[\w)\]$"]|\+\+|--)$/.test(before) || /^(?:printf?|return|else|do|in|delete|exit|getline)$/.test(before))
    ) {
      const pattern = /\/(?:\\[^\n]|\[\^?\]?(?:\\[^\n]|[^\]\\\n/])*\]|[^/\\\n])*\//y;
      pattern.lastIndex = at;
      const found = pattern.exec(program)?.[0];
      if (found === undefined) return true;
      text = found;
    }
    at += text.length;
    if (/^(?:\s|\\\n|#)/.test(text)) {
      // A line cannot begin with a division.
      if (/^\s/.test(text) && text.includes('\n')) before = '';
      continue;
    }
    if (text === '"' || text === '@' || text === '|' || text === '|&' || openNames.test(text)) return true;
    if (text === 'print' || text === 'printf') {
      prints = true;
      depth = 0;
    } else if (/^[;{}]$/.test(text)) prints = false;
    else if (/^[([]$/.test(text)) depth += 1;
    else if (/^[)\]]$/.test(text)) depth -= 1;
    else if ((text === '>' || text === '>>') && prints && depth <= 0) return true;
    before = text;
  }
  return false;
}
