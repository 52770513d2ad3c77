import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One check of a scenario, as recorded by the suite. */
interface Check {
  readonly id?: string;
  readonly name?: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The outcome of one scenario. */
export interface ScenarioOutcome {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: readonly { readonly check: string; readonly message: string }[];
}

const suite = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace(/package\.json$/, 'dist/index.js');

/** Runs the official suite with arguments and reads its records. */
export async function runSuite(args: readonly string[], timeoutMs: number): Promise<readonly ScenarioOutcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const child = spawn(process.execPath, [suite, ...args, '--output-dir', folder], {
      stdio: 'ignore',
      timeout: timeoutMs,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
    const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('checks.json')).sort();
    return await Promise.all(files.map((path) => readOutcome(folder, path)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readOutcome(folder: string, path: string): Promise<ScenarioOutcome> {
  const checks = JSON.parse(await readFile(join(folder, path), 'utf8')) as readonly Check[];
  const scenario = path
    .replace(/\\/g, '/')
    .replace(/\/?checks\.json$/, '')
    .replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z?$/, '')
    .replace(/^(?:server|client)-/, '');
  return {
    scenario,
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, name, errorMessage }) => ({ check: id ?? name ?? '', message: errorMessage ?? '' })),
  };
}
