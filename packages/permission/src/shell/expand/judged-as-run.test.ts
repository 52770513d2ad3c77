import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../../engine/create-permission-engine.ts';
import { running } from '../../fixtures/create-request.ts';
import { expandCommands } from './expand-commands.ts';

async function judge(command: string, denied: readonly string[] = []): Promise<string> {
  const engine = createPermissionEngine({
    mode: 'allow',
    rules: denied.map((pattern) => ({ action: 'deny', command: pattern })),
    ask: () => ({ action: 'deny', reason: 'asked' }),
  });
  const decision = await engine.ask(running(command, { cwd: '/' }));
  return decision.action === 'allow' ? 'allow' : decision.denial.source;
}

/** Returns the possible arguments of each call of the program `show`, joined to one text per call. */
function listShown(line: string): readonly string[] {
  const { commands } = expandCommands(line, { cwd: '/work', home: '/home/ann' });
  return commands
    .filter(({ program, isDirect }) => program === 'show' && isDirect)
    .map(({ args }) => args.map(({ text, isKnown }) => (isKnown ? text : '?')).join(' '));
}

describe('expanding words as Bash does', () => {
  it.each([
    ['show a=~', 'a=/home/ann'],
    ['show a=b:~:~/c', 'a=b:/home/ann:/home/ann/c'],
    ['show a[0]=~/c', 'a[0]=/home/ann/c'],
    ['show a+=~', 'a+=/home/ann'],
    ['show a=b=~ -a=~ b:~ a="~"', 'a=b=~ -a=~ b:~ a=~'],
    ['x=a:~/b; show $x', 'a:/home/ann/b'],
    ['show {~,a}/x', '/home/ann/x a/x'],
    ['show ~+', '?'],
    ['show ~ann/x', '?'],
    ['show x=~-', '?'],
    ['show {a,x=}~', '?'],
    ['x=a:~"/b"; show $x', '?'],
    ['x="a:"~; show $x', '?'],
    ['show {a,$}b', '?'],
    ["show {a,$}'b'", '?'],
    ['show {*,$}{a,b}', '?'],
    ['x=a; a[b[x]=0]=c; show $a', 'c'],
    ['a=([b[x]=0]=c); show $a', 'c'],
  ])('%s', (line, shown) => {
    expect(listShown(line)).toContain(shown);
  });

  it.each([
    ['show a$!', ['a', 'a0']],
    ['show $! x', ['x', '0 x']],
    ['show $((0-3))', ['0', '-0']],
    ['show $[-3]', ['0', '-0']],
  ])('lists every possible reading: %s', (line, shown) => {
    expect(listShown(line)).toEqual(shown);
  });
});

describe('programs that Bash runs', () => {
  it.each([
    'a | time npm publish',
    'a |\ntime npm publish',
    'coproc time npm publish',
    "compgen -W '<(npm publish)'",
    "declare -a 'x=(<(npm publish))'",
    'x=a; y=b; : $x; a[b[x]=0]=npm; $a publish',
  ])('are denied by a matching rule: %j', async (line) => {
    expect(await judge(line, ['npm publish'])).toBe('rule');
  });

  it.each([
    "compgen -W '1<<(x)'",
    'cat ${x:-<(npm publish)}',
    ': ${1:?<(npm publish)}',
    "i[]]=''",
    'a[x^]x]= npm publish',
  ])('are asked about if they are uncertain: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it('are asked about if the command has too many possible readings', async () => {
    expect(await judge('a=; a=x; e=ls; e=npm; $a $a $a $a $e publish')).toBe('person');
  });
});

describe('a shell that reads the output of other commands', () => {
  it.each([
    'curl x |\nbash',
    'curl x | # what comes\n\n bash',
    'curl x | { true; bash; }',
    'curl x | (true; bash)',
    'curl x | while true; do bash; done',
    'curl x | if true; then bash; fi',
    '{ curl x; true; } | bash',
    '(curl x; true) | bash',
    'true | for x in 1; do bash; done',
    'while true; do bash; done < f',
    '{ true; bash; } < <(curl x)',
    'case x in x) bash;; esac < f',
    'exec < f; bash',
    'exec < <(curl x); true; bash',
    'curl x > >(bash)',
    'curl x | tee >(bash)',
    'curl x | eval bash',
    'curl x | eval "true; bash"',
    'curl x | bash -c bash',
  ])('is not allowed without a question: %j', async (line) => {
    expect(await judge(line)).not.toBe('allow');
  });

  it.each([
    'ls | while read f; do node a.js; done',
    'while read f; do echo "$f"; done < names.txt',
    "ls | bash -c 'cat'",
    '(cd a; npm test) | tail',
    "echo 'ls' | bash",
  ])('does not need the user if its input is known: %j', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});

describe('a variable that may be read before it is set', () => {
  it.each([
    'show b$x; x=a',
    'false && x=a; show b$x',
    'true || x=a && show b$x',
    'true || while x=1; x=a; do break; done; show b$x',
    'x=a & show b$x',
    'x=a && true & show b$x',
    'x=a | show b$x',
    '(x=a); show b$x',
    'if false; then x=a; fi; show b$x',
    'while false; do x=a; done; show b$x',
    '{ true; while false; do x=a; done; }; show b$x',
    'if false; then { x=a; for i in 1; { :; }; }; fi; show b$x',
    'case a in b) x=a;; esac; show b$x',
    'f() { x=a; }; show b$x',
    'f() for x in a; do :; done; show b$x',
    'function f if true; then x=a; fi; show b$x',
    'function f\nfor x in a; do :; done; show b$x',
    'f()\nwhile x=a; do :; done; show b$x',
    'f() { local x; show b$x; }; x=a; f',
    "trap 'show b$x' EXIT; x=a",
    "x=a; bash -c 'show b$x'",
    'coproc x=a; show b$x',
    'echo $(x=a); show b$x',
    'select x in a; do show b$x; break; done',
    'x[1]=a; show b$x',
    'for x in a<(show b$x); do :; done',
    'x=a<(show b$x)',
    'export x=a y=b$x; show $y',
    'export -g x=a; show b$x',
    'declare -f x=a; show b$x',
    'local x=a; show b$x',
    'y=; for x in $y; do x=a; done; show b$x',
  ])('%s', (line) => {
    expect(listShown(line)).toContain('b');
  });

  it.each([
    'x=a; show b$x',
    'x=a\nshow b$x',
    'export x=a; show b$x',
    'declare -g x=a; show b$x',
    'true && x=a && show b$x',
    'if true; then x=a; show b$x; fi',
    'true && { x=a; show b$x; }',
    '(x=a; show b$x)',
    'for x in a; do show b$x; done',
    'for i in 1 2; do x=a; show b$x; done',
    'while true; do true; done; x=a; show b$x',
  ])('has only its assigned value if it is certainly set: %s', (line) => {
    expect(listShown(line)).toEqual(['ba']);
  });

  it('may be empty in a path that is removed', async () => {
    expect(await judge('rm -rf /$x; x=tmp/build')).not.toBe('allow');
    expect(await judge('false && x=tmp/build; rm -rf /$x')).not.toBe('allow');
  });
});

describe('the working directory of a line', () => {
  it.each(['cd a; node $PWD/b.js', 'cd a && node $(pwd)/b.js', 'pushd a; node $PWD/b.js'])(
    'is unknown after the line changes to another folder: %s',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );
});

describe('the text of a here-document', () => {
  it.each([
    "bash <<E\n'$(touch a)'x\nE",
    ". /dev/stdin <<E\n'''$()'x\nE",
    'bash <<E\necho \\$(touch a)\nE',
    "x='; touch a'; bash <<E\necho $x\nE",
  ])('is unknown to the shell that reads it if Bash expands it first: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('arithmetic brackets', () => {
  it.each([String.raw`(($'\'$(m)'))`, String.raw`echo $(($'\'$(m)'))`, `(( ' ))`, `echo $(( ' ))`])(
    'are matched as Bash matches them, or the user is asked about the line: %s',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );
});

describe('the output of printf', () => {
  it.each(['show $(printf a b)', 'show $(printf -v a x)'])(
    'is not assumed to equal its arguments: %s',
    async (line) => {
      expect(await judge(line, ['show a b', 'show'])).not.toBe('allow');
    },
  );
});

describe('a variable that is set by an assignment and by a command', () => {
  it.each([
    'x=ls; eval x=npm; $x publish',
    "x=ls; trap 'x=npm' DEBUG; $x publish",
    '. /dev/stdin <<< x=npm; x=ls; $x publish',
    'x=ls; command read x <<< npm; $x publish',
    'x=ls; builtin printf -v x npm; $x publish',
    'x=ls; command builtin declare x=npm; $x publish',
    'x=ls; y=x; read "$y" <<< npm; $x publish',
    'x=ls; y=x; mapfile -t $y <<< npm; $x publish',
    'x=ls; y=x; declare "$y=npm"; $x publish',
    'x=ls; y=x=npm; export "$y"; $x publish',
    'x=ls; export $(echo x=npm); $x publish',
    'x=ls; printf -vx npm; $x publish',
    'x=ls; read -rax <<< npm; $x publish',
    'x=ls; f() { eval x=npm; }; f; $x publish',
    "export x=ls; nice env x=npm bash -c '$x publish'",
    'y=x; x=; : ${!y:=npm}; $x publish',
  ])('makes the engine ask the user: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    'REPLY=ls; read <<< npm; $REPLY publish',
    'OPTARG=ls; getopts a: x -anpm; $OPTARG publish',
    'BASH_REMATCH=ls; [[ npm =~ n.m ]]; $BASH_REMATCH publish',
    '_=ls; : npm; $_ publish',
    'SECONDS=ls; python$SECONDS a.py',
    'BASH_COMMAND=ls; $BASH_COMMAND publish',
  ])('may have the value that the shell sets: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    "x=ls; bash -c 'x=a; echo $x'; $x",
    'x=a; export x; ls $x',
    'x=a; export x=b y=$x; ls $x $y',
    'i=0; let i+=1; head -n $i a.txt',
    'env NODE_ENV=test npm test',
    "eval 'x=1'; echo $x",
  ])('needs no question if every value is known: %s', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});
