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

  it.each(['npm publish 2\\\n>out.txt', '{\\\nnpm publish; }', 'cat <<\\\n-x\n\tx\n', 'np\\\nm publish'])(
    'is put to a person or denied where the signs around it may be one: %j',
    async (line) => {
      expect(await judge(line, ['npm publish'])).not.toBe('allow');
    },
  );
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
