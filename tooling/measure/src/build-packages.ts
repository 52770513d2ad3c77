import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds packages and their dependencies as they are published, so that no earlier build is measured. */
export async function buildPackages(...names: readonly string[]): Promise<void> {
  const folders = names.map((name) => `packages/${name}`);
  await execute(process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...folders], { cwd: root });
  await execute(process.execPath, ['tooling/bundle/src/main.ts'], { cwd: root });
}
