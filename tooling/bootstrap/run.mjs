/**
 * Runs the npm scripts demo, test, check, version-packages, release and release:rehearse, and `install` for .ci/run. Plain
 * JavaScript, for any Node version.
 * Installs the workspace when it is not installed as the lockfile says, then hands over to the pinned Node.
 * Everything it prints of its own goes to standard error, so that standard output belongs to the command; exit codes pass through.
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
// npm starts scripts in the root of the workspace and stores the folder of the user here.
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
  // Every command installs the workspace first. This one does nothing else.
  install: () => 0,
  async demo() {
    const build = [[tools.tsc, '-b'], [bundler]];
    // Up to date, this takes a second; the first time, it is worth a word.
    const title = existsSync(join(root, 'apps', 'demo', 'dist', 'main.js')) ? undefined : 'building the packages';
    await withProgress(title, async (report) => {
      for (const args of build) await orExit(runSilently(pinnedNode, args, report));
    });
    if (rest[0] === 'ui') await buildPage();
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

/** Builds the page of the workbench if it is missing. Only those who open it wait for that. */
async function buildPage() {
  const workbench = join(root, 'packages', 'workbench');
  if (existsSync(join(workbench, 'dist', 'page', 'index.html'))) return;
  const vite = join(workbench, 'node_modules', 'vite', 'bin', 'vite.js');
  await withProgress('building the page of the workbench (once)', (report) =>
    orExit(runSilently(pinnedNode, [vite, 'build', join(workbench, 'page'), '--logLevel', 'warn'], report)),
  );
}

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

/**
 * Runs one program to its end without showing what it writes, unless it fails: package managers warn about the settings
 * of the machine, which a user who wants to see a demo can do nothing about.
 */
function runSilently(program, args, report) {
  return new Promise((resolve) => {
    let written = '';
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: onWindows && program === 'npx',
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        written = (written + text).slice(-20_000);
        report();
      });
    }
    const stop = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, stop);
    const end = (code, text) => {
      for (const signal of signals) process.off(signal, stop);
      if (code !== 0) process.stderr.write(`\n${text}\n`);
      resolve(code);
    };
    child.once('error', (error) => end(127, `haft: cannot start ${program}: ${error.message}`));
    child.once('close', (code, signal) => end(code ?? 128 + constants.signals[signal], written.trim()));
  });
}

/** Shows on standard error what is going on, and for how long; once a second on a terminal, once in all elsewhere. */
async function withProgress(title, work) {
  if (title === undefined) return work(() => {});
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  const onTerminal = process.stderr.isTTY;
  const show = () => process.stderr.write(`\rhaft: ${title}… ${seconds()} s`);
  if (!onTerminal) process.stderr.write(`haft: ${title}…\n`);
  const timer = onTerminal ? setInterval(show, 1000) : undefined;
  try {
    return await work(onTerminal ? show : () => {});
  } finally {
    clearInterval(timer);
    if (onTerminal) process.stderr.write(`\rhaft: ${title}: done in ${seconds()} s\n`);
  }
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
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const install = ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline'];
  await withProgress('installing the workspace (once; about half a minute)', (report) =>
    orExit(runSilently('npx', install, report)),
  );
  writeFileSync(record, wanted);
}
