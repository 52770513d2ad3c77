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

describe('settings that change which program a name refers to', () => {
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
  ])('make the engine ask the user: %j', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each(['alias', 'alias ll; ls', 'nice env CI=1 npm test'])(
    'need no question if they only show aliases or set other variables: %s',
    async (line) => {
      expect(await judge(line)).toBe('allow');
    },
  );
});

describe('text that a smaller shell than Bash may read differently', () => {
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
  ])('makes the engine ask the user: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each([
    "bash -c '((1)) && [[ -f a ]] && ls &>/dev/null'",
    "docker exec app bash -c '[[ -f a ]] && ls'",
    "sh -c 'echo $((1 + 2)) 2>&1 >/dev/null'",
    'sh -c "grep \'[[:space:]]\' a.txt"',
    "eval '[[ -f a ]] && ls'",
  ])('needs no question if Bash runs it or all shells agree: %s', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});
