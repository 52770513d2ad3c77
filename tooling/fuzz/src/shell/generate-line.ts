import { createRandom, type Random } from './random.ts';
import { generateRare } from './generate-rare.ts';
import { createWords, type Words } from './generate-words.ts';

/** Generates the command line of a seed from a grammar of Bash, and damages some of them. */
export function generateLine(seed: number): string {
  const random = createRandom(seed);
  // Declared first, because lists and words contain each other.
  const words = createWords(random, (depth) => list(depth));
  const { word, mark, name, arithmetic, assignment, pattern } = words;
  const list = (depth: number): string => {
    let text = pipeline(depth);
    while (random.chance(0.35))
      text +=
        random.pick([
          '; ',
          ' && ',
          ' || ',
          '\n',
          ' & ',
          ';',
          '&&',
          ' # c m9\n',
          ' &&\n',
          ' ; \\\n',
          '\n\n# c "\n',
          '&',
        ]) + pipeline(depth);
    return text;
  };
  const pipeline = (depth: number): string => {
    let text = random.pick(['', '', '', '', '', '', '', '! ', 'time ', 'time -p ', '! ! ']) + command(depth);
    while (random.chance(0.12))
      text += random.pick([' | ', '|', ' |& ', ' |\n', ' | \\\n', ' | # c\n']) + command(depth);
    return text;
  };
  const command = (depth: number): string =>
    depth > 0 && random.chance(0.3) ? compound(depth - 1) + redirections(depth, 0.1) : simple(depth);
  const redirections = (depth: number, share: number): string =>
    random.chance(share) ? redirection(random, words, depth) : '';
  const simple = (depth: number): string => {
    if (random.chance(0.06)) return generateRare(random, words, list, depth);
    const assigned = random.chance(0.2) ? `${assignment(depth)} ` : '';
    if (random.chance(0.3)) return assigned + builtin(random, words, list, depth) + redirections(depth, 0.08);
    const before = redirections(depth, 0.03);
    const program = random.chance(0.75)
      ? mark()
      : random.pick([() => disguise(random, mark()), () => held(random, name()), () => word(depth)])();
    const rest = Array.from(
      { length: random.below(3) },
      () => `${random.pick([' ', ' ', ' ', ' ', '\t', ' \\\n '])}${word(depth)}`,
    ).join('');
    return `${assigned}${before === '' ? '' : `${before} `}${program}${rest}${redirections(depth, 0.1)}`;
  };
  const compound = (depth: number): string => {
    const body = (): string => list(depth);
    const end = random.pick(['; ', '\n', ' ; ']);
    return random.pick<() => string>([
      () => `{ ${body()}${end}}`,
      () => `(${body()})`,
      () => `( ${body()} )`,
      () => `if ${body()}${end}then ${body()}${end}fi`,
      () => `if ${body()}; then ${body()}; elif ${body()}; then ${body()}; else ${body()}; fi`,
      () => `while ${body()}; do ${body()}; break; done`,
      () => `until ${body()}; do ${body()}; break; done`,
      () => `for ${name()} in ${word(depth)} ${word(depth)}${end}do ${body()}${end}done`,
      () => `for ${name()}${random.pick(['; ', ' '])}do ${body()}; done`,
      () =>
        `for ((${random.pick(['', 'i=0', arithmetic(depth)])}; ${arithmetic(depth)}; ${arithmetic(depth)}))${end}do ${body()}; break; done`,
      () => `select ${name()} in ${word(depth)}; do ${body()}; break; done`,
      () =>
        `case ${word(depth)} in ${pattern(depth)}) ${body()}${random.pick([';;', ';&', ';;&', ' ;; '])} (*) ${body()};; esac`,
      () => `case ${word(depth)} in\n${pattern(depth)} | ${pattern(depth)} )\n${body()}\n;;\nesac`,
      () => `case a in *) ${body()} esac`,
      () => `[[ ${condition(random, words, depth)} ]]`,
      () => `((${arithmetic(depth)}))`,
      () => `(( ${arithmetic(depth)} ))`,
      () => `f() { ${body()}; }; f ${word(depth)}`,
      () => `function f { ${body()}; }; f ${word(depth)}`,
      () => `function f () ( ${body()} ); f`,
      () =>
        `f() ${random.pick([`[[ ${condition(random, words, depth)} ]]`, `((${arithmetic(depth)}))`, `for x in a; do ${body()}; done`])}; f`,
      () => `coproc ${command(depth)}`,
      () => `coproc ${random.pick(['N', 'm8'])} { ${body()}; }`,
      () => `for ${name()} in m4 ${word(depth)}; { ${body()}; }`,
      () => `for ((i=0; i<2; i++)) { ${body()}; }`,
      () => `for ${name()} in m4 's1 a'; do $${name()} ${body()}; done`,
      () => `while read -r ${name()}; do ${body()}; done <<< ${word(depth)}`,
      () => `${mark().slice(0, 2)}() { ${body()}; }; ${mark()}`,
      () => `f() { local ${assignment(depth)}; ${body()}; return; }; f ${word(depth)}`,
      () => `f-x () { $1 $@; }; f-x m4 ${word(depth)}`,
      () => `f()\n{ ${body()}\n}\nf`,
      () => `if ! ${body()}; then :; else ${body()}; fi`,
      () => `case a in a) ;; esac; ${body()}`,
      () => `case $(${body()}) in (a|b) ${body()} ;; *) ${body()} ;; esac`,
      () => `{ ${body()}; } ${random.pick(['2>&1', '|| m4', '| { m5; }', '<<< a', '> >(m6)'])}`,
      () => `((${body()}) )`,
      () => `( (${body()}) )`,
    ])();
  };
  const line = list(2);
  // A command line cannot contain NUL.
  return (random.chance(0.3) ? damage(random, line) : line).replaceAll('\0', '');
}

function redirection(random: Random, { word }: Words, depth: number): string {
  return random.pick<() => string>([
    () => ' >/dev/null',
    () => ' 2>&1',
    () => ' </dev/null',
    () => ` <<<${random.pick(['', ' '])}${word(depth)}`,
    () => ' > /tmp/w1',
    () => ' &>/dev/null',
    () => ' {v}>/dev/null',
    () => ` < <(${random.pick(['m7', 'm7 a'])})`,
    () => ` <<E\n${word(depth)}\nE\n`,
    () => ` <<'E'\n${word(depth)}\nE\n`,
    () => ` <<-"E"\n\t${word(depth)}\n\tE\n`,
    () => ` <<E; m6\n${word(depth)} \\\nx\nE\n`,
    () => ` <<\\E | m6\n$(m9)\nE\n`,
    () => ` <<A <<'B'\n${word(depth)}\nA\n${word(depth)}\nB\n`,
    () => ` <<"E F"; m6\n$(m9)\nE F\nm7\n`,
    () => ` <<$'E' && m6\n$(m9)\nE\n`,
    () => ` 2> >(m7) >&2`,
    () => random.pick([' >>/dev/null', ' >|/tmp/w1', ' <>/dev/null', ' &>>/dev/null', ' 3<&0', ' >&-', ' {v}>&-']),
    () => ` <<<\\\n ${word(depth)}`,
    () => ` <<E && m6\n\${u:-$(m7)} \`m8\` \\$(m9)\nE\n`,
  ])();
}

function condition(random: Random, { word, arithmetic, evaluated }: Words, depth: number): string {
  return random.pick<() => string>([
    () => `${word(depth)} ${random.pick(['-eq', '-lt', '-ge', '-ne'])} ${arithmetic(depth)}`,
    () => `-v ${evaluated(depth)}`,
    () => `${evaluated(depth)} -eq 0`,
    () => `-n ${word(depth)} && ${word(depth)} == ${word(depth)}`,
    () => `${word(depth)} =~ ${random.pick(['(a|b)', '^[a-z]+$', word(depth)])}`,
    () => `! ( ${word(depth)} < ${word(depth)} || -z ${word(depth)} )`,
    () => word(depth),
  ])();
}

/** The name of a program, in another spelling. */
function disguise(random: Random, program: string): string {
  return random.pick([
    `'${program}'`,
    `"${program}"`,
    `\\${program}`,
    `m""${program.slice(1)}`,
    `$'${program}'`,
    `$'\\x6d${program.slice(1)}'`,
    `$"${program}"`,
    `{${program},a}`,
    `$(echo ${program})`,
    `m\\\n${program.slice(1)}`,
    `\${u:-${program}}`,
    `m$@${program.slice(1)}`,
  ]);
}

/** A program whose name, or name and words, comes from a variable. */
function held(random: Random, name: string): string {
  return random.pick([
    `$${name}`,
    `"$${name}"`,
    `\${${name}}`,
    `"\${${name}[@]}"`,
    `\${${name}[0]}`,
    `m$${name}`,
    '$1',
    '"$@"',
  ]);
}

function builtin(random: Random, words: Words, list: (depth: number) => string, depth: number): string {
  const { word, name, evaluated, arithmetic, mark, quote, array } = words;
  const inner = (): string => (depth > 0 ? list(depth - 1) : mark());
  return random.pick<() => string>([
    () => `eval ${word(depth)}`,
    () => `eval ${quote(inner())}`,
    () => `eval ${mark()} ';' ${quote(inner())} ${word(depth)}`,
    () => `eval "${random.pick(['$x', '$y a', 'm4 $x', '\\$x', '${x[@]}'])}"`,
    () => `bash -c "${random.pick(['$x', 'm4 $x', '\\$0 a'])}" ${word(depth)}`,
    () => `bash ${random.pick(['', '-s '])}<<E\n${inner()}\nE\n`,
    () => `bash <<'E'\n${inner()}\nE\n`,
    () => `. <(echo ${quote(inner())})`,
    () => {
      const text = quote(inner());
      return `${random.pick(['bash -c', 'eval'])} ${text}; ${name()}=m4; bash -c ${text} _ ${word(depth)}`;
    },
    () => `echo ${random.pick(["'m4 $1'", "'read -r x\nm4 a'", quote(inner())])} | bash -s ${word(depth)}`,
    () => `x=${quote(inner())}; ${random.pick(['$x', 'eval $x', 'eval "$x"', '${x@P}', 'bash <<< $x', '"$x"'])}`,
    () => `set -- m4 ${word(depth)}; ${random.pick(['"$@"', '$1 a', '$*', '${@:1}', '${@: -1}', '$2', 'shift; $1'])}`,
    () =>
      `x=(m4 ${word(depth)}); ${random.pick(['"${x[@]}"', '${x[*]}', '$x a', '${x[1]}', '${x[@]:0:1}', '"${!x[@]}"'])}`,
    () => `read ${name()} <<< m4; $${name()} ${word(depth)}`,
    () => `printf -v ${name()} m4; $${name()} ${word(depth)}`,
    () => `IFS=${random.pick([':', 'm', "$'\\n'"])}; x=am4:m5; $x ${word(depth)}`,
    () => `exec {v}< <(${mark()}); m4 <&$v`,
    () => `exec -a ${random.pick(['a', 'm4'])} s1 ${word(depth)}`,
    () => `command ${random.pick(['-p', '-v', '--'])} s1 ${word(depth)}`,
    () => `builtin ${random.pick(['command', 'exec', 'command -p'])} s1 ${word(depth)}`,
    () =>
      `${random.pick(['nice -n 1', 'nohup', 'timeout --foreground 1', 'stdbuf -o0', 'env -i PATH=/stubs', "env -S 's1 b'", 'env -u x', 'xargs', 'xargs -n 1', 'find . -maxdepth 0 -exec'])} s1 ${word(depth)} ${random.pick(['', '<<< a', "';'", '{} +'])}`,
    () => `declare -A ${name()}=([a]=${word(depth)} ['$(${mark()})']=b)`,
    () => `${random.pick(['local', 'declare', 'export'])} ${name()}={m4,m5} ${name()}`,
    () => `set -${random.pick(['e', 'u', 'x', 'f', '-', 'k', 'o posix'])}; ${inner()}`,
    () => `shopt -s ${random.pick(['extglob', 'nullglob', 'expand_aliases', 'lastpipe'])}\n${inner()}`,
    () =>
      `trap - ${random.pick(['EXIT', 'DEBUG'])}; trap ${quote(inner())} ${random.pick(['RETURN', 'ERR', 'DEBUG EXIT'])}; false`,
    () => `bash -c ${quote(inner())} ${random.pick(['', '_ a', `_ ${word(depth)}`])}`,
    () => `bash <<< ${quote(inner())}`,
    () => `echo ${quote(inner())} | bash`,
    () => `command ${mark()} ${word(depth)}`,
    () => `builtin ${random.pick(['eval', 'printf -v'])} ${evaluated(depth)}`,
    () => `exec ${random.pick(['s1', 's2'])} ${word(depth)}`,
    () => `env ${random.pick(['', 'A=b '])}${random.pick(['s1', 's2'])} ${word(depth)}`,
    () => `trap ${quote(inner())} ${random.pick(['EXIT', 'DEBUG', '0'])}`,
    () => `let ${evaluated(depth)}`,
    () => `printf -v ${evaluated(depth)} ${word(depth)}`,
    () => `printf '%s\\n' ${word(depth)}`,
    () => `test ${random.pick(['-v', '-n', '!'])} ${evaluated(depth)}`,
    () => `[ -v ${evaluated(depth)} ]`,
    () => `read ${random.pick(['', '-r '])}${random.pick([name(), evaluated(depth)])} <<< ${word(depth)}`,
    () =>
      `${random.pick(['declare', 'typeset', 'export', 'readonly'])} ${random.pick(['', '', '-i ', '-a ', '-x ', '-g '])}${assignment(words, random, depth)}`,
    () => `declare ${random.pick(['-n', '-u', '-i'])} ${name()}=${evaluated(depth)}`,
    () => `declare ${random.pick(['', '-a '])}${array(depth)}`,
    () => `unset ${random.pick([name(), evaluated(depth)])}`,
    () => `mapfile ${random.pick(['', '-t ', `-C ${quote(mark())} -c 1 `])}${name()} <<< ${word(depth)}`,
    () => `getopts ab ${name()} ${word(depth)}`,
    () => `set -- ${word(depth)} ${word(depth)}`,
    () => 'shift',
    () => `: ${word(depth)} ${word(depth)}`,
    () => `echo ${word(depth)} ${arithmetic(depth).length > 9 ? '' : word(depth)}`,
    () => 'true',
    () => 'false',
    () => `. /dev/stdin <<< ${quote(inner())}`,
    () => `alias ${name()}=${quote(inner())}`,
    () => `compgen -W ${evaluated(depth)}`,
    () => `wait -p ${evaluated(depth)} -n`,
    () => `cd ${random.pick(['.', '-', '~+'])}`,
    () => array(depth),
    () => assignment(words, random, depth),
  ])();
}

function assignment({ assignment: assign }: Words, random: Random, depth: number): string {
  return random.chance(0.2) ? `${assign(depth)} ${assign(depth)}` : assign(depth);
}

const signs = ' \t\n"\'\\$`(){}[]<>&|;#!~*?=,:@%^-+/0a\rm'
  .split('')
  .concat(['$(', '${', '$((', '))', "$'", '<<', ';;', '\\\n', 'é', '\u00A0', '\u0001']);

/** Adds, removes and moves a few characters. */
function damage(random: Random, line: string): string {
  let text = line;
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const at = random.below(text.length + 1);
    const kind = random.below(3);
    if (kind === 0) text = text.slice(0, at) + random.pick(signs) + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1);
    else text = text.slice(0, at) + text.slice(at, at + 1 + random.below(4)) + text.slice(at);
  }
  return text;
}
