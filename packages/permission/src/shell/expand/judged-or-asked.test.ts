import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../../engine/create-permission-engine.ts';
import { running } from '../../fixtures/create-request.ts';

/** Returns the outcome of a line in the mode `allow`, with rules that deny some commands. */
async function judge(command: string, denied: readonly string[] = []): Promise<string> {
  const engine = createPermissionEngine({
    mode: 'allow',
    rules: denied.map((pattern) => ({ action: 'deny', command: pattern })),
    ask: () => ({ action: 'deny', reason: 'asked' }),
  });
  const decision = await engine.ask(running(command, { cwd: '/' }));
  return decision.action === 'allow' ? 'allow' : decision.denial.source;
}

describe('braces that Bash reads differently than they look', () => {
  it.each([
    "cat {''{1..3}..3}",
    'cat {{1..3}..3}',
    'cat $${1..3}',
    'cat {\r1..3}',
    'cat {Z..a}',
    'cat {1..x}',
    'cat {$((1<<2)),b}',
    'cat {$[1,2],b}',
    'cat {"${x:-"a,b"}",c}',
    'for x in {},{c..a};do $x;done',
    '(R=${1/{""} npm publish)',
    'echo ${x:-{a,b}}',
  ])('make the engine ask the user: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    ['cat {01..3}', 'cat 01 02 03'],
    ['cat {-01..1}', 'cat -01 000 001'],
    ['cat {3..1}', 'cat 3 2 1'],
    ['cat {c..a}', 'cat c b a'],
    ['cat {A..C..2}', 'cat A C'],
    ['export x={ls,npm}; $x publish', 'npm publish'],
    ['"\\\n"{,b} publish', '* b publish'],
    ['declare -x x={ls,npm}; $x publish', 'npm publish'],
  ])('are judged by the words they expand to: %j', async (line, denied) => {
    expect(await judge(line)).toBe('allow');
    expect(await judge(line, [denied])).toBe('rule');
  });
});

describe('a line that continues after a backslash', () => {
  it.each([
    ['cat <<<\\\n x', 'cat'],
    ['npm publish >\\\n out.txt', 'npm publish'],
    ['time \\\n npm publish', 'npm publish'],
    ['npm \\\n publish', 'npm publish'],
  ])('is judged as one line: %j', async (line, denied) => {
    expect(await judge(line, [denied])).toBe('rule');
  });

  it.each([
    'npm publish 2\\\n>out.txt',
    '{\\\nnpm publish; }',
    'cat <<\\\n-x\n\tx\n',
    'np\\\nm publish',
    'case x in a) ls;; es\\\nac; (npm publish)',
  ])('makes the engine ask the user, or deny, if adjacent operators may join: %j', async (line) => {
    expect(await judge(line, ['npm publish'])).not.toBe('allow');
  });
});

describe('commands in a substitution, which Bash prints and parses again', () => {
  it.each([
    'cat <(time case x in *) ;; esac)a',
    'cat <(if false; then true; elif <<E\nE\n true; then ls; npm publish; fi)',
    "cat <(time <<'E'\nE\nls; npm publish)",
    'cat <(cat <<E\nE\nls; npm publish)',
    'cat <( (cat <<E\nE\n); npm publish)',
    'cat <(cat <<E && ls\nE\n)',
    'cat <(case x in (esac) ls;; esac)',
  ])('make the engine ask the user if printing may change them: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    'cat <(cat <<E\na\nE\n)',
    'cat <(cat <<E | sort\na\nE\n)',
    'cat <(cat <<E |\na\nE\nsort\n)',
    'echo "$(cat <<\'E\'\na; b\nE\n)"',
    '(cat <<E\na\nE\nls)',
    'cat <(for x in a b; do echo $x; done; true)',
    'cat <(case x in a) ls;; *) true;; esac)',
  ])('need no question if they certainly stay the same: %j', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});

describe('a command line inside another one', () => {
  it.each([
    ["env -S'npm publish' x", 'npm publish x'],
    ["env -S 'npm publish' 'x y'", 'npm publish x*y'],
    ["x=; bash -c 'npm $x'; bash -c \"x=publish bash -c 'npm \\$x'\"", 'npm publish'],
    ["x=; eval 'npm $x'; eval 'x=publish; eval '\\''npm $x'\\'", 'npm publish'],
    ["bash <<'E'\nnpm publish\nE", 'npm publish'],
  ])('is judged with its words and variables: %j', async (line, denied) => {
    expect(await judge(line, [denied])).toBe('rule');
  });

  it.each([
    "bash -c 'npm $1'; bash -c 'npm $1' _ publish",
    "echo 'npm $1' | bash -s publish",
    ". /dev/stdin publish <<< 'npm $1'",
    "bash -s publish <<'E'\nnpm $1\nE",
  ])('makes the engine ask the user if its arguments are unknown: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('text of the line that a shell reads from its input', () => {
  it.each([
    "bash <<'E'\necho a\nE",
    "bash <<'E'\nset -e\ncd a && npm test\nls | head -3\nE",
    "bash -s <<'E'\nfor x in a b; do echo $x; done\nE",
    "bash <<< 'npm test'",
    "echo 'npm test' | bash",
    'echo Building; bash build.sh',
  ])('is judged as a line: %j', async (line) => {
    expect(await judge(line)).toBe('allow');
  });

  it.each([
    "bash <<'E'\nread -r -N 2 x\nlsrm -r a\nE",
    "bash <<< $'read -r -N 2 x\\nlsrm -r a'",
    "echo $'head -c 2\\nlsrm -r a' | bash",
    "bash <<'E'\nbash\nls\nE",
    "bash <<'E'\neval read x\nls\nE",
    "bash <<'E'\ntrap 'read x' DEBUG\nls\nE",
    "bash <<'E'\nselect x in a; do ls; done\nE",
    "bash <<'E' < f\nls\nE",
  ])('makes the engine ask the user if a command may consume a part of it: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('a process substitution in a subscript', () => {
  it.each(['a=([<(npm publish)]=b)', 'a[<(npm publish)]=b'])('makes the engine ask the user: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('a substitution in which another process prints too', () => {
  it.each(['$(echo >(echo npm publish))', 'cat $(printf a >(echo b))', 'let x=$(wc -l a>(echo b))'])(
    'has unknown output: %s',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );
});

describe('a dollar sign that begins no expansion', () => {
  it.each(["x='a b'; cat $x$", 'cat a$IFS$', 'cat $x$.b'])(
    'makes the engine ask the user if its word may be split: %s',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );

  it.each(['grep a$ b.txt', "grep 'a$' $HOME/b.txt", 'grep "$HOME$" b.txt'])(
    'is a plain character if its word is not split: %s',
    async (line) => {
      expect(await judge(line)).toBe('allow');
    },
  );
});

describe('arguments that are quoted together with another value', () => {
  it.each(['cat "$@$1"', 'cat "$1$@"', 'cat "$@$*"', 'cat "${@}$1"'])(
    'make the engine ask the user whether they form a word: %s',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );

  it('are not one word by themselves', async () => {
    expect(await judge('npm publish "$@"', ['npm publish'])).toBe('rule');
  });
});

describe('a carriage return', () => {
  it('is a character of a word', async () => {
    expect(await judge('time -p\r npm publish', ['-p* npm publish'])).toBe('rule');
    expect(await judge('time -p npm publish\r', ['npm publish'])).toBe('allow');
  });
});

describe('the output of a substitution', () => {
  it('is unknown if its words have several readings', async () => {
    expect(await judge('cat $(echo $[0-1]a)')).toBe('person');
  });
});

describe('a bracket before a redirection', () => {
  it.each(['cat {v[}>a.txt', 'cat {a[a,b}>a.txt'])('makes the engine ask the user about the word: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('words that Bash ends at an unusual position', () => {
  it.each([
    '{>&-npm publish;}',
    '>&-npm publish',
    'cat <& -x',
    'coproc npm i=(publish)',
    'coproc a= npm',
    'coproc npm a[ x ]=1',
    'coproc npm a[ ]b',
    'npm>()',
  ])('make the engine ask the user: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each(['ls >&-', 'ls 2>&- | cat', '(ls <&-)'])('are judged if nothing follows: %j', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});

describe('a here-string that a shell runs', () => {
  it.each(['bash <<<{,c}}', '. /dev/stdin<<<{npm,publish}', 'sh <<<$x'])(
    'makes the engine ask the user if Bash expands it: %j',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );

  it('is judged as a line if it is literal', async () => {
    expect(await judge("bash <<<'npm publish'", ['npm publish'])).toBe('rule');
    expect(await judge("bash <<<'ls'")).toBe('allow');
  });
});

describe('text that runs with the arguments of the surrounding line', () => {
  it.each([
    "set -- 'rm -rf /etc'; eval '$@'",
    "f(){ eval '$@';};f 'npm publish '",
    "f(){ trap '$1' ERR;false;};f ' npm publish'",
    "set -- npm publish; eval 'eval \\$@'",
  ])('makes the engine ask the user: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it('is judged if it uses no arguments', async () => {
    expect(await judge("f(){ eval 'ls';};f a")).toBe('allow');
  });
});

describe('the word time after a pipe or coproc', () => {
  it.each([
    "true | { time a['$(npm publish)']=; }",
    "true | if time -p x= a['$(npm publish)']=; then ls; fi",
    "coproc { time a['$(npm publish)']=; }",
  ])('is a reserved word again inside a compound command: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    ['true | { time x=1 npm publish; }', 'npm publish'],
    ['true | time -p npm publish', 'time -p npm publish'],
    ['coproc time npm publish', 'time npm publish'],
    ['true |\n\ntime npm publish', 'time npm publish'],
  ])('is judged by its role: %j', async (line, denied) => {
    expect(await judge(line, [denied])).toBe('rule');
  });
});

describe('a number that is not computed', () => {
  it.each([
    'x=5; python$((x - 2)) a.py',
    'x=2; ((x++)); python$x a.py',
    'x=2; let x+=1; python$x a.py',
    'declare -i x=2; x+=1; python$x a.py',
    'for x in $((3)); do python$x a.py; done',
    'python$# a.py',
    'x=4; : {x}>/dev/null; python$x a.py',
    'coproc x { ls; }; python$x a.py',
  ])('makes the engine ask the user if it may change which program runs: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    'i=0; while ((i < 3)); do ((i++)); echo "$i"; done',
    'for ((i = 0; i < 3; i++)); do cat a$i.txt; done',
    'n=$((n + 1)); head -n $n a.txt',
    'let n=n+1; head -n $n a.txt',
  ])('is harmless as an argument: %s', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});

describe('a variable that arithmetic sets', () => {
  it.each([
    '((IFS = 4)); y=npm4publish; $y',
    ': $((IFS = 4)); y=npm4publish; $y',
    'x[IFS=4]=1; y=npm4publish; $y',
    "((x = 1, 'IFS' = 4)); y=npm4publish; $y",
    'let x=1,IFS=4; y=npm4publish; $y',
    ': {IFS}>/dev/null; y=npm10publish; $y',
    'z=IFS=4; ((z)); y=npm4publish; $y',
    'z=IFS=4; (($z)); y=npm4publish; $y',
    'z=IFS; (($z = 4)); y=npm4publish; $y',
    'z=IFS=4; let "$z"; y=npm4publish; $y',
    "coproc IFS { ls; }; y='npm publish'; $y",
  ])('may be the variable that splits words: %s', async (line) => {
    expect(await judge(line, ['npm publish'])).not.toBe('allow');
  });
});
