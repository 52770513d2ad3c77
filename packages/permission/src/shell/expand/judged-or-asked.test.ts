import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../../engine/create-permission-engine.ts';
import { running } from '../../fixtures/create-request.ts';

/** What the mode `allow` does with a line while rules deny some commands. */
async function judge(command: string, denied: readonly string[] = []): Promise<string> {
  const engine = createPermissionEngine({
    mode: 'allow',
    rules: denied.map((pattern) => ({ action: 'deny', command: pattern })),
    ask: () => ({ action: 'deny', reason: 'asked' }),
  });
  const decision = await engine.ask(running(command, { cwd: '/' }));
  return decision.action === 'allow' ? 'allow' : decision.denial.source;
}

describe('braces that Bash reads in another way than they look', () => {
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
  ])('are put to a person: %j', async (line) => {
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
  ])('are judged by the words they make: %j', async (line, denied) => {
    expect(await judge(line)).toBe('allow');
    expect(await judge(line, [denied])).toBe('rule');
  });
});

describe('a line that goes on behind a backslash', () => {
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
  ])('is put to a person or denied where the signs around it may be one: %j', async (line) => {
    expect(await judge(line, ['npm publish'])).not.toBe('allow');
  });
});

describe('commands in a substitution, which Bash prints and reads again', () => {
  it.each([
    'cat <(time case x in *) ;; esac)a',
    'cat <(if false; then true; elif <<E\nE\n true; then ls; npm publish; fi)',
    "cat <(time <<'E'\nE\nls; npm publish)",
    'cat <(cat <<E\nE\nls; npm publish)',
    'cat <( (cat <<E\nE\n); npm publish)',
    'cat <(cat <<E && ls\nE\n)',
    'cat <(case x in (esac) ls;; esac)',
  ])('are put to a person where they may come out as others: %j', async (line) => {
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
  ])('are plain where they surely are the same: %j', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});

describe('a line inside a line', () => {
  it.each([
    ["env -S'npm publish' x", 'npm publish x'],
    ["env -S 'npm publish' 'x y'", 'npm publish x*y'],
    ["x=; bash -c 'npm $x'; bash -c \"x=publish bash -c 'npm \\$x'\"", 'npm publish'],
    ["x=; eval 'npm $x'; eval 'x=publish; eval '\\''npm $x'\\'", 'npm publish'],
    ["bash <<'E'\nnpm publish\nE", 'npm publish'],
  ])('is judged with the words and variables that it gets: %j', async (line, denied) => {
    expect(await judge(line, [denied])).toBe('rule');
  });

  it.each([
    "bash -c 'npm $1'; bash -c 'npm $1' _ publish",
    "echo 'npm $1' | bash -s publish",
    ". /dev/stdin publish <<< 'npm $1'",
    "bash -s publish <<'E'\nnpm $1\nE",
  ])('is put to a person where its arguments are not known: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('a text of the line that a shell reads from its input', () => {
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
  ])('is put to a person where a command may take a part of it: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('a process substitution in a subscript', () => {
  it.each(['a=([<(npm publish)]=b)', 'a[<(npm publish)]=b'])('is put to a person: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('a substitution in which a process prints as well', () => {
  it.each(['$(echo >(echo npm publish))', 'cat $(printf a >(echo b))', 'let x=$(wc -l a>(echo b))'])(
    'is not known: %s',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );
});

describe('a dollar that begins nothing', () => {
  it.each(["x='a b'; cat $x$", 'cat a$IFS$', 'cat $x$.b'])(
    'leaves it to a person whether the word is split: %s',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );

  it.each(['grep a$ b.txt', "grep 'a$' $HOME/b.txt", 'grep "$HOME$" b.txt'])(
    'is a character where nothing is split: %s',
    async (line) => {
      expect(await judge(line)).toBe('allow');
    },
  );
});

describe('a carriage return', () => {
  it('is a character of a word', async () => {
    expect(await judge('time -p\r npm publish', ['-p* npm publish'])).toBe('rule');
    expect(await judge('time -p npm publish\r', ['npm publish'])).toBe('allow');
  });
});

describe('the output of a substitution', () => {
  it('is not known where its words can be read in several ways', async () => {
    expect(await judge('cat $(echo $[0-1]a)')).toBe('person');
  });
});

describe('a bracket before a redirection', () => {
  it.each(['cat {v[}>a.txt', 'cat {a[a,b}>a.txt'])('leaves it to a person what the word is: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });
});

describe('words that Bash ends in an unusual place', () => {
  it.each([
    '{>&-npm publish;}',
    '>&-npm publish',
    'cat <& -x',
    'coproc npm i=(publish)',
    'coproc a= npm',
    'coproc npm a[ x ]=1',
    'coproc npm a[ ]b',
    'npm>()',
  ])('are put to a person: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each(['ls >&-', 'ls 2>&- | cat', '(ls <&-)'])('are judged where nothing follows: %j', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});

describe('a here-string that a shell runs', () => {
  it.each(['bash <<<{,c}}', '. /dev/stdin<<<{npm,publish}', 'sh <<<$x'])(
    'is put to a person if Bash expands it: %j',
    async (line) => {
      expect(await judge(line)).toBe('person');
    },
  );

  it('is judged as a line if it is literal', async () => {
    expect(await judge("bash <<<'npm publish'", ['npm publish'])).toBe('rule');
    expect(await judge("bash <<<'ls'")).toBe('allow');
  });
});

describe('a text that runs with the arguments of the line around it', () => {
  it.each([
    "set -- 'rm -rf /etc'; eval '$@'",
    "f(){ eval '$@';};f 'npm publish '",
    "f(){ trap '$1' ERR;false;};f ' npm publish'",
    "set -- npm publish; eval 'eval \\$@'",
  ])('is put to a person: %j', async (line) => {
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
  ])('is judged in the role it has: %j', async (line, denied) => {
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
  ])('leaves it to a person which program it is a part of: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    'i=0; while ((i < 3)); do ((i++)); echo "$i"; done',
    'for ((i = 0; i < 3; i++)); do cat a$i.txt; done',
    'n=$((n + 1)); head -n $n a.txt',
    'let n=n+1; head -n $n a.txt',
  ])('is plain as an argument: %s', async (line) => {
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
  ])('may be the one that splits words: %s', async (line) => {
    expect(await judge(line, ['npm publish'])).not.toBe('allow');
  });
});

describe('settings that change which program a name stands for', () => {
  it.each([
    'BASH_CMDS[ls]=/usr/bin/npm; ls publish',
    'BASH_CMDS=([ls]=/usr/bin/npm); ls publish',
    "printf -v 'BASH_CMDS[ls]' /usr/bin/npm; ls publish",
    "bash --posix -c $'BASH_ALIASES[ls]=npm\\nls publish'",
    "bash -i -c $'alias ls=npm\\nls publish'",
    "sh -c $'alias ls=npm\\nls publish'",
    'POSIXLY_CORRECT=1\nalias ls=npm\nls publish',
    'alias "$(cat a.txt)"; ls publish',
    "env 'BASH_FUNC_ls%%=() { npm publish; }' bash -c ls",
    "nice env BASH_ENV='$(npm publish)' bash -c ls",
    "readonly BASH_ENV='$(npm publish)'; export BASH_ENV; bash -c ls",
  ])('are put to a person: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each(['alias', 'alias ll; ls', 'nice env CI=1 npm test'])(
    'are plain if they only show aliases or set other variables: %s',
    async (line) => {
      expect(await judge(line)).toBe('allow');
    },
  );
});

describe('a text that a smaller shell than Bash may read in another way', () => {
  it.each([
    "sh -c '((npm publish))'",
    "sh -c 'ls &>/dev/null npm publish'",
    "sh -c '[[ a || npm publish ]]'",
    `sh -c "echo \\$'a\\\\'; npm publish #'"`,
    "echo 'ls &>a npm publish' | dash",
    "sh <<'E'\n((npm publish))\nE",
    'sh -c \'x=((; eval "$x npm publish))"\'',
    "watch '((npm publish))'",
    "find . -exec sh -c '((npm publish))' bash ';'",
  ])('is put to a person: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    "bash -c '((1)) && [[ -f a ]] && ls &>/dev/null'",
    "docker exec app bash -c '[[ -f a ]] && ls'",
    "sh -c 'echo $((1 + 2)) 2>&1 >/dev/null'",
    'sh -c "grep \'[[:space:]]\' a.txt"',
    "eval '[[ -f a ]] && ls'",
  ])('is plain where Bash runs it or the shells agree: %s', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});
