import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Builds `@haft/core` and what it depends on as they are published, so that no earlier build is measured. */
export async function buildPackages(): Promise<void> {
  await execute(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'packages/core'], { cwd: root });
  await execute(process.execPath, ['tooling/bundle/src/main.ts'], { cwd: root });
}
