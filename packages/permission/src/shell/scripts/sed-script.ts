import { compileOptions, readOptions } from '../programs/read-options.ts';
import type { RunCommand } from '../run/run-command.ts';

const options = compileOptions({
  script: '-e= --expression=',
  file: '-f= --file=',
  plain:
    '-n -E -r -s -u -z -i? -l= -b --quiet --silent --regexp-extended --in-place --line-length= --separate --unbuffered --null-data --null --posix --debug --sandbox --follow-symlinks --binary --help --version',
});

/**
 * Returns whether a `sed` command may do more than edit text: run commands, read or write other files, or read a script
 * from its input.
 */
export function isOpenSed({ args }: RunCommand): boolean {
  let hasScript = false;
  const scripts: string[] = [];
  // Options may also follow the files.
  for (let rest = args; rest.length > 0;) {
    const read = readOptions(rest, options);
    for (const { effect, value } of read.options) {
      if (effect === undefined) return true;
      if (effect === 'plain') continue;
      hasScript = true;
      if (effect === 'script') scripts.push(value?.text ?? '');
      else if (value === undefined || isInput(value.text)) return true;
    }
    const [first] = read.operands;
    if (!hasScript && first) {
      hasScript = true;
      scripts.push(first.text);
      // `sed -i '' 's/a/b/' x` in the BSD syntax: the empty word belongs to the option.
      if (first.text === '') scripts.push(read.operands[1]?.text ?? '');
    }
    rest = read.operands.slice(1);
  }
  return isOpenScript(scripts.join('\n'));
}

/** Returns whether a path is the standard input of a program. */
export function isInput(path: string): boolean {
  return path === '-' || /^\/dev\/(?:stdin|fd\/)|^\/proc\/.*\/fd\//.test(path);
}

/** Commands without an argument, or with text that is only printed. */
const plainCommands = /[={}dDgGhHnNpPqQxlLzF]/;

/** Reads a sed script command by command. Returns true if it may do more than edit text, or if it cannot be parsed. */
export function isOpenScript(script: string): boolean {
  let at = 0;
  const end = script.length;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(script);
    if (found) at = pattern.lastIndex;
    return found !== null && found[0] !== '';
  };
  /**
   * Skips a text up to its closing character. A backslash escapes the next character, and so do brackets in a pattern.
   */
  const closeAt = (closing: string, isPattern: boolean): boolean => {
    for (; at < end; at += 1) {
      const character = script[at]!;
      if (character === '\\') at += 1;
      else if (character === closing) {
        at += 1;
        return true;
      } else if (isPattern && character === '[' && closing !== '[') {
        const list = /\[\^?\]?(?:\[:\w+:\]|\[[.=][^\]]*[.=]\]|[^\]\n])*\]/y;
        list.lastIndex = at;
        // Some programs end the pattern at a closing character in a bracket expression, others do not.
        const inside = list.exec(script)?.[0] ?? '[';
        if (inside.replaceAll(/\\[^]/g, '').includes(closing)) return false;
        if (!inside.includes('\\')) at += inside.length - 1;
      } else if (character === '\n' && isPattern) return false;
    }
    return false;
  };
  const address = (): boolean => {
    if (skip(/\d+(?:~\d+)?|\$/y)) return true;
    const opening = script[at];
    if (opening !== '/' && opening !== '\\') return true;
    at += opening === '/' ? 1 : 2;
    if (!closeAt(opening === '/' ? '/' : script[at - 1]!, true)) return false;
    skip(/[IM]*/y);
    return true;
  };
  while (at < end) {
    if (skip(/[\s;]+/y)) continue;
    if (script[at] === '#') {
      skip(/[^\n]*/y);
      continue;
    }
    if (!address()) return true;
    skip(/[ \t]*/y);
    if (script[at] === ',') {
      at += 1;
      skip(/[ \t]*[+~]?/y);
      if (!address()) return true;
    }
    skip(/[\s!]*/y);
    const command = script[at];
    at += 1;
    if (command === undefined) return false;
    if (command === 's' || command === 'y') {
      const closing = script[at];
      at += 1;
      if (closing === undefined || closing === '\n' || closing === '\\') return true;
      if (!closeAt(closing, command === 's') || !closeAt(closing, false)) return true;
      skip(/[gpiIMm\d]*/y);
      if (/[ew]/.test(script[at] ?? '')) return true;
    } else if (command === 'a' || command === 'i' || command === 'c') {
      // Skips text up to a line without a trailing backslash.
      skip(/(?:\\[^]|[^\\\n])*/y);
      continue;
    } else if (command === ':' || command === 'b' || command === 't' || command === 'T') skip(/[^\n;}]*/y);
    else if (!plainCommands.test(command)) return true;
    else if (/[qQlL]/.test(command)) skip(/[ \t]*\d*/y);
  }
  return false;
}
