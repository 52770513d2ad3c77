/** `node src/run-astro.ts dev|build`: starts Astro without telemetry, in the folder of the site. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [command = 'build', ...options] = process.argv.slice(2);
const astro = join(createRequire(import.meta.url).resolve('astro/package.json'), '../bin/astro.mjs');
const child = spawn(process.execPath, [astro, command, ...options], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  stdio: 'inherit',
});
child.once('error', (error) => {
  throw error;
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
