import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../../engine/create-permission-engine.ts';
import { running } from '../../fixtures/create-request.ts';
import type { PermissionRule } from '../../rules/permission-rule.ts';

async function judge(command: string, rules: readonly PermissionRule[] = []): Promise<string> {
  const engine = createPermissionEngine({ mode: 'allow', rules, ask: () => ({ action: 'deny', reason: 'asked' }) });
  const decision = await engine.ask(running(command, { cwd: '/' }));
  return decision.action === 'allow' ? 'allow' : decision.denial.source;
}

describe('a rule that denies a command', () => {
  const push = [{ action: 'deny', command: ['git push *', 'git push'] }] as const;
  const publish = [{ action: 'deny', command: 'npm publish' }] as const;

  it.each([
    'git send-pack origin main',
    'git http-push https://a/b main',
    'git -C x lfs push origin main',
    'git subtree push --prefix=a origin main',
    'git svn dcommit',
  ])('for git push also denies %s', async (line) => {
    expect(await judge(line, push)).toBe('rule');
  });

  it.each(['git lfs pull', 'git lfs ls-files', 'git subtree pull --prefix=a origin main', 'git svn fetch'])(
    'for git push does not deny %s',
    async (line) => {
      expect(await judge(line, push)).toBe('allow');
    },
  );

  it.each([
    "npm x -c='npm publish'",
    "npm exec -c='npm publish'",
    "npx -c='npm publish'",
    'npm explore x -- npm publish',
  ])('also denies the command after %s', async (line) => {
    expect(await judge(line, publish)).toBe('rule');
  });
});

describe('a program that is started by another program', () => {
  it.each([
    'docker run --entrypoint npm x publish',
    'docker run --entrypoint=npm x publish',
    'docker compose run --entrypoint npm web publish',
    `podman run --entrypoint '["npm","publish"]' x`,
    'flatpak run --command=npm org.x publish',
    'npx --registry=https://a.example b',
    'gs -dNOSAFER a.ps',
    "gs -c '(x) run'",
  ])('needs the user: %s', async (line) => {
    expect(await judge(line)).toBe('person');
  });

  it.each(['docker run --rm x', 'gs -q -sDEVICE=pdfwrite -o a.pdf b.pdf', 'npx tsc', 'npm install --save-dev x'])(
    'does not affect %s',
    async (line) => {
      expect(await judge(line)).toBe('allow');
    },
  );
});

describe('a rule that denies a host', () => {
  const rules = [{ action: 'deny', host: 'evil.example' }] as const;

  it.each([
    'node fetch.js evil.example',
    'python3 get.py evil.example:443',
    'python3 get.py --host=evil.example',
    'ruby get.rb a@evil.example',
    'bash get.sh evil.example',
    'make fetch HOST=evil.example',
  ])('finds the host among the arguments of a script: %s', async (line) => {
    expect(await judge(line, rules)).toBe('rule');
  });

  it.each(['node build.js src/app.js a.json', 'python3 a.py b.csv --out=c.txt', 'bash a.sh x.tar.gz'])(
    'does not mistake file names for hosts: %s',
    async (line) => {
      expect(await judge(line, [{ action: 'deny', host: '*' }])).toBe('allow');
    },
  );
});

describe('code that a line writes and then runs', () => {
  it.each([
    'e.js; nodemon e.js',
    'e.js; pm2 start e.js',
    'e.zig; zig run e.zig',
    'E.java; javac E.java && java E',
    'E.java; javac E.java; java -cp . E',
    'e.cr; crystal run e.cr',
    'e.nim; nim r e.nim',
    'e.v; v run e.v',
    'e.dart; dart run e.dart',
    'app/main.dart; flutter run',
    'e.odin; odin run .',
    'e.pas; instantfpc e.pas',
    'e.wasm; wasmtime e.wasm',
    'e.ps; gs e.ps',
    'src/A.java; ant test',
    'gradle.properties; gradle test',
    'build.sc; mill x',
    'BUILD; bazel run //:x',
  ])('needs the user: %s', async (line) => {
    expect(await judge(`echo x > ${line}`)).toBe('person');
  });

  it.each([
    'nodemon src/app.js',
    'zig build',
    'java -jar a.jar',
    'flutter test',
    'ant',
    'gradle test',
    'bazel build //:x',
  ])('is not run by %s', async (line) => {
    expect(await judge(line)).toBe('allow');
  });
});
