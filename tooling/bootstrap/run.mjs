/**
 * What the npm scripts demo, test, check, version-packages, release and release:rehearse start: plain JavaScript for whatever Node the machine has.
 * Installs the workspace when it is not installed as the lockfile says, then hands over to the pinned Node.
 * Everything it prints goes to standard error, so that standard output belongs to the command; exit codes pass through.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const modules = join(root, 'node_modules');
const onWindows = process.platform === 'win32';
// The pinned Node runs everything, unless CI asks for the Node that runs this file, to test several.
const pinnedNode =
  process.env.HAFT_NODE === 'own' ? process.execPath : join(modules, 'node', 'bin', onWindows ? 'node.exe' : 'node');
// npm starts scripts in the root of the workspace and says here where the person stood.
const callerDirectory = process.env.INIT_CWD ?? process.cwd();
const [command, ...rest] = process.argv.slice(2);

const tool = (...path) => join(modules, ...path);
const tools = {
  tsc: tool('typescript', 'bin', 'tsc'),
  vitest: tool('vitest', 'vitest.mjs'),
  oxlint: tool('oxlint', 'bin', 'oxlint'),
  oxfmt: tool('oxfmt', 'bin', 'oxfmt'),
  changeset: tool('@changesets', 'cli', 'bin.js'),
};
const bundler = join(root, 'tooling', 'bundle', 'src', 'main.ts');

const commands = {
  async demo() {
    await orExit(run(pinnedNode, [tools.tsc, '-b'], { output: 'quiet' }));
    await orExit(run(pinnedNode, [bundler], { output: 'quiet' }));
    return run(pinnedNode, [join(root, 'apps', 'demo', 'dist', 'main.js'), ...rest], { cwd: callerDirectory });
  },
  test: () => run(pinnedNode, [tools.vitest, 'run', ...rest]),
  async check() {
    const folders = ['packages', 'apps', 'tooling'];
    await orExit(run(pinnedNode, [tools.tsc, '-b']));
    await orExit(run(pinnedNode, [bundler]));
    await orExit(run(pinnedNode, [tools.tsc, '-p', 'tsconfig.tests.json']));
    await orExit(run(pinnedNode, [tools.oxlint, '--type-aware', '--deny-warnings', ...folders]));
    await orExit(run(pinnedNode, [tools.oxfmt, '--check', ...folders]));
    return run(pinnedNode, [tools.vitest, 'run', 'tooling/checks', ...rest]);
  },
  'version-packages': () => run(pinnedNode, [tools.changeset, 'version', ...rest]),
  release: () => run(pinnedNode, [join(root, 'tooling', 'release', 'src', 'publish.ts'), ...rest]),
  rehearse: () => run(pinnedNode, [join(root, 'tooling', 'release', 'src', 'rehearse.ts'), ...rest]),
};

if (!Object.hasOwn(commands, command)) {
  const known = Object.keys(commands).join(', ');
  process.stderr.write(`haft: unknown command ${JSON.stringify(command)}; expected one of ${known}\n`);
  process.exit(2);
}
await installWhenNeeded();
process.exit(await commands[command]());

/** Runs one program to its end. Its standard output is ours, or goes to standard error when `output` is `quiet`. */
function run(program, args, { output = 'own', cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, HAFT_CALLER_DIRECTORY: callerDirectory },
      stdio: output === 'own' ? 'inherit' : ['ignore', process.stderr, process.stderr],
      shell: onWindows && program === 'npx',
    });
    const forward = (signal) => {
      // A terminal has sent Ctrl-C to the child as well; a second one would read as "at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const end = (code) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(code);
    };
    child.once('error', (error) => {
      process.stderr.write(`haft: cannot start ${program}: ${error.message}\n`);
      end(127);
    });
    child.once('exit', (code, signal) => end(code ?? 128 + constants.signals[signal]));
  });
}

async function orExit(step) {
  const code = await step;
  if (code !== 0) process.exit(code);
}

/** Compares what is installed with the lockfile by content: the time of a file says little after a checkout. */
async function installWhenNeeded() {
  const record = join(modules, '.haft-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .digest('hex');
  const installed = existsSync(record) ? readFileSync(record, 'utf8') : '';
  if (installed === wanted && existsSync(pinnedNode)) return;
  process.stderr.write('haft: installing the workspace (once; about half a minute)…\n');
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const install = ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline'];
  await orExit(run('npx', install, { output: 'quiet' }));
  writeFileSync(record, wanted);
}
