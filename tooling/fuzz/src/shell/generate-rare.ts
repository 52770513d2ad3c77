import type { Words } from './generate-words.ts';
import type { Random } from './random.ts';

/**
 * Creates a command with rare Bash features: settings that change what runs, variables that are set without an
 * assignment, names for commands, other shells, and here-documents with odd delimiters.
 */
export function generateRare(random: Random, words: Words, list: (depth: number) => string, depth: number): string {
  return random.pick([setting, numbered, renamed, listed, fed, delimited, otherShell])(random, words, (): string =>
    depth > 0 ? list(depth - 1) : words.mark(),
  );
}

type Inner = () => string;

/** Sets a variable that changes what runs, and runs something. */
function setting(random: Random, { mark, quote, word }: Words, inner: Inner): string {
  const value = random.pick([quote(`$(${mark()})`), quote(mark()), 'x', '4', "'m4 a'", word(1)]);
  const name = random.pick(['BASH_ENV', 'ENV', 'PS4', 'PROMPT_COMMAND', 'IFS', 'POSIXLY_CORRECT', 'BASH_COMPAT', 'x']);
  const set = random.pick([
    `${name}=${value}`,
    `export ${name}=${value}`,
    `x=${name}; declare "$x=m4"`,
    `x='${name}=m4'; export "$x"`,
    `read ${name} <<< ${value}`,
    `read -a ${name} <<< ${value}`,
    `printf -v ${name} %s ${value}`,
    `for ${name} in ${value}; do :; done`,
    `mapfile ${name} <<< ${value}`,
    `mapfile -C ${quote(mark())} -c1 ${name} <<< ${value}`,
    `unset ${name}; : \${${name}:=${value}}`,
    `declare -n y=${name}; y=${value}`,
    `select ${name} in ${value}; do break; done <<< 1`,
    `((${name}=4))`,
    `let ${name}=4`,
    `: {${name}}>/dev/null`,
    `coproc ${name} { :; }`,
    `set -- -am4; getopts a: ${name}; ${name}=$OPTARG`,
    `f() { local ${name}=${value}; ${inner()}; }; f`,
  ]);
  const use = random.pick([
    'x=m4xa; $x',
    "x='m4 a'; $x",
    'x=m54a; $x',
    'set -x; m1',
    `export ${name}; bash -c :`,
    `bash -i <<< ${quote(inner())}`,
    `bash -c ${quote(inner())}`,
    `$${name} a`,
    `m$${name} a`,
    inner(),
  ]);
  return `${set}${random.pick(['; ', '\n', ' && '])}${use}`;
}

/** Sets a variable to a number, and runs a program with the number in its name. */
function numbered(random: Random, { name, arithmetic, word }: Words): string {
  const variable = name();
  const set = random.pick([
    `((${variable}++))`,
    `((${variable}+=${arithmetic(1)}))`,
    `: $((${variable}=${arithmetic(1)}))`,
    `let ${variable}=${random.below(4)} ${variable}+=1`,
    `declare -i ${variable}=2; ${variable}+=1`,
    `: {${variable}}>/dev/null`,
    `x=${variable}=4; (($x))`,
    `y=${variable}=4; ((y))`,
    `y=${variable}; (($y=4))`,
    `y=${variable}=4; let "$y"`,
    `a[${variable}=4]=1`,
    `[[ ${variable}=4 -eq 4 ]]`,
    `coproc ${variable} { :; }`,
  ]);
  const program = random.pick([`m$${variable}`, `m\${${variable}}`, `m$((${variable}))`, `$${variable}`, `m$#`, 'm$?']);
  return `${random.pick([`${variable}=2; `, ''])}${set}; ${program} ${word(1)}`;
}

/** Gives a name another meaning. */
function renamed(random: Random, { mark, quote, word }: Words, inner: Inner): string {
  const wrapper = random.pick(['env', 'nice', 'command', 'eval', 'exec', 'cd', 'test', '[', ':', 's1', 'm1', 'printf']);
  return random.pick([
    `${wrapper}() { ${inner()}; }; ${wrapper} s1 ${word(1)}`,
    `${wrapper}() { "$@"; }; ${wrapper} ${wrapper} m4`,
    `${wrapper}() { command ${wrapper} "$@"; }; ${wrapper} ${mark()}`,
    `${wrapper}() { ${inner()}; }; unset -f ${wrapper}; ${wrapper} s1 a`,
    `f() { f() { ${inner()}; }; ${mark()}; }; f; f`,
    `f() { ${inner()}; }; export -f f; bash -c 'f a'`,
    `env 'BASH_FUNC_f%%=() { ${mark()}; }' bash -c f`,
    `nice env ${random.pick(['BASH_ENV', 'ENV', 'PS4'])}='$(${mark()})' bash -xc m1`,
    `hash -p /stubs/s1 ${random.pick(['m1', 's2'])}; ${random.pick(['m1', 's2'])} a`,
    `BASH_CMDS${random.pick(['[m1]=/stubs/s1', '=([m1]=/stubs/s1)'])}; m1 a`,
    `${random.pick(['shopt -s expand_aliases', 'set -o posix', 'POSIXLY_CORRECT=1'])}\nalias m1=${quote('m4 a')}\nm1 b`,
    `bash ${random.pick(['-i', '--posix', '-O expand_aliases', '-O extglob', ''])} -c $'alias m1=m4\\nm1 b'`,
    `enable -n ${wrapper}; ${wrapper} ${mark()}`,
    `command_not_found_handle() { s1 "$@"; }; ${mark()}`,
    `trap ${quote(random.pick(['m4 $BASH_COMMAND', 'eval $BASH_COMMAND', mark(), inner()]))} DEBUG; ${mark()}`,
    `exec -a ${random.pick(['sh', '-bash', 'm4'])} bash -c ${quote(inner())}`,
    `exec ${random.pick(['-c', '-l', '-la m4', '--'])} s1 a`,
  ]);
}

/** Keeps programs in arrays with names and in references to variables. */
function listed(random: Random, { mark, word, quote, evaluated }: Words, inner: Inner): string {
  const key = random.pick(['x', 'm4', "'m4'", '$x', quote(mark())]);
  const use = random.pick([`\${h[${key}]} a`, `"\${h[${key}]}" a`, '"${!h[@]}" a', '"${h[@]}"', '$h a', '${h[@]@A}']);
  return random.pick([
    `declare -A h; h[${key}]=${random.pick(['m4', word(1)])}; ${use}`,
    `declare -A h=([${key}]=m4); ${use}`,
    `declare -A h=(x m4 m4 ${word(1)}); ${use}`,
    `h=(m4 a); h[1]=${word(1)}; ${use}`,
    `h=([3]=m4); unset 'h[0]'; ${use}`,
    `declare -A h=([m4]=a); for x in "\${!h[@]}"; do $x b; done`,
    `y=m4; declare -n z=y; $z ${word(1)}`,
    `f() { local -n z=$1; $z ${word(1)}; }; y=m4; f y`,
    `declare -n z=${evaluated(1)}; z=1`,
    `printf -v 'h[${random.pick(['0', '1', `$(${mark()})`])}]' m4; ${use}`,
    `read -ra h <<< 'm4 a'; ${use}`,
    `h=m4; h=\${h@${random.pick(['Q', 'U', 'L', 'E'])}}; ${use}`,
    `IFS=, read -ra h <<< m4,a; ${use}`,
    `x=(${word(1)} m4); x=("\${x[@]}" ${inner().slice(0, 2)}); "\${x[-1]}" a`,
  ]);
}

/** Gives texts to shells by descriptors and processes. */
function fed(random: Random, { quote, mark, word }: Words, inner: Inner): string {
  const text = quote(inner());
  return random.pick([
    `exec 3<<<${text}; ${random.pick(['. /dev/fd/3', 'bash <&3', 'bash /dev/fd/3', 'read x <&3; $x a'])}`,
    `exec <<<${text}; bash`,
    `exec {x}<<<${text}; . /dev/fd/$x`,
    `exec > >(${mark()}); ${mark()}`,
    `${mark()} > >(${inner()}) 2> >(${mark()} >&2)`,
    `${mark()} < <(${inner()})`,
    `x=<(${mark()}); ${mark()} $x`,
    `coproc ${random.pick(['', 'N'])} { ${inner()}; }; wait`,
    `coproc ${random.pick(['N', 'm8', '$x'])} ${random.pick(['a[ x ]=1', 'a=1', 'time m4', word(1)])}`,
    `coproc { echo m4; }; read x <&\${COPROC[0]}; $x a`,
    `echo ${text} | ${random.pick(['. /dev/stdin', 'bash -s a', 'source /dev/fd/0', 'xargs bash -c', 'xargs -I{} bash -c {}'])}`,
    `bash --rcfile <(echo ${mark()}) -i`,
    `bash -${random.pick(['ec', 'lc', 'ic', 'c --', 'c -e', 'cO extglob', 'co errexit'])} ${text} ${word(1)}`,
  ]);
}

/** A here-document with an odd delimiter. */
function delimited(random: Random, { mark, word }: Words, inner: Inner): string {
  const [written, end] = random.pick([
    ['E\\F', 'EF'],
    ["''", ''],
    ['"a b"c', 'a bc'],
    ["$'\\x45'", 'E'],
    ['$"E"', 'E'],
    ['{a,b}', '{a,b}'],
    ["-'\tE'", '\tE'],
    ['-E', '\tE'],
    ['E$x', 'E$x'],
    ['*', '*'],
    ['$(m4)', '$(m4)'],
    ['\\\nE', 'E'],
    ["E'\n'", 'E\n'],
    ['E <<-F', 'E\n\tF'],
  ]);
  const body = random.pick([`$(${mark()})`, `\${x:-$(${mark()})}`, word(1), '\\', `${word(1)}\\`, end, inner()]);
  const program = random.pick(['cat', mark(), 'bash', '. /dev/stdin', 'read x', ': |']);
  const rest = random.pick(['', '; $x a', ' | m6', ' && m6', ' &', ' # <<F', ' > >(m6)']);
  return `${program} <<${written}${rest}\n${body}\n${end}\n${random.pick(['', mark()])}`;
}

/** Runs a text in `dash`, which the jail has under the name `sh`. */
function otherShell(random: Random, { quote, arithmetic, word }: Words, inner: Inner): string {
  const text = random
    .pick([
      inner(),
      `((${inner()}))`,
      `: &>/dev/null ${inner()}`,
      `[[ ${word(1)} || ${inner()} ]]`,
      `: $'a\\'; ${inner()} #'`,
      `${inner()} |& m4`,
      `x=$((${arithmetic(1)})) ${inner()}`,
      `alias s2=s1\ns2 a`,
      `{v}>/dev/null ${inner()}`,
    ])
    .replaceAll(/\bm\d/g, 's1');
  return random.pick([
    `sh -c ${quote(text)}`,
    `sh <<< ${quote(text)}`,
    `echo ${quote(text)} | sh`,
    `find . -maxdepth 0 -exec sh -c ${quote(text)} ';'`,
    `bash -c ${quote(`sh -c ${quote(text)}`)}`,
  ]);
}
