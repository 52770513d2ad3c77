/**
 * What `npm run demo` and `npm test` start: plain JavaScript for whatever Node the machine has.
 * Installs the workspace when it is not installed, then hands over to the pinned Node.
 * Everything it prints goes to standard error, so that standard output belongs to the command; exit codes pass through.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [command, ...rest] = process.argv.slice(2);
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const environment = {
  ...process.env,
  HAFT_CALLER_DIRECTORY: process.env.INIT_CWD ?? process.cwd(),
  TURBO_TELEMETRY_DISABLED: '1',
};

/** Runs one program to its end; its standard output is ours only when `output` says so. */
function run(program, args, { output = 'quiet', cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: environment,
      stdio: output === 'own' ? 'inherit' : ['ignore', process.stderr, process.stderr],
      shell: process.platform === 'win32' && program === 'npx',
    });
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward).on('SIGTERM', forward);
    child.once('error', (error) => {
      process.stderr.write(`haft: cannot start ${program}: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

/** True when the installed tree is older than what the lockfile asks for, or absent. */
function needsInstall() {
  const marker = join(root, 'node_modules', '.modules.yaml');
  const lockfile = join(root, 'pnpm-lock.yaml');
  return !existsSync(marker) || !existsSync(pinnedNode()) || statSync(lockfile).mtimeMs > statSync(marker).mtimeMs;
}

function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

async function orExit(step) {
  const code = await step;
  if (code !== 0) process.exit(code);
}

if (needsInstall()) {
  process.stderr.write('haft: installing the workspace (once; about half a minute)…\n');
  await orExit(run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline']));
}

const commands = {
  demo: async () => {
    await orExit(run('npx', ['--yes', packageManager, 'run', 'build']));
    return run(pinnedNode(), [join(root, 'apps', 'demo', 'dist', 'main.js'), ...rest], {
      output: 'own',
      cwd: environment.HAFT_CALLER_DIRECTORY,
    });
  },
  test: () =>
    run(pinnedNode(), [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...rest], { output: 'own' }),
};

if (!Object.hasOwn(commands, command)) {
  process.stderr.write(
    `haft: unknown command ${JSON.stringify(command)}; expected one of ${Object.keys(commands).join(', ')}\n`,
  );
  process.exit(2);
}
process.exit(await commands[command]());
