import { createCleanEnvironment, runProcess } from '@haft/sandbox';

/** Result of `node --test` in a project. */
export interface ProjectTests {
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
}

/** Runs a project's tests with this program's Node, independent of any outer test run. */
export async function runProjectTests(cwd: string, signal: AbortSignal): Promise<ProjectTests> {
  const result = await runProcess({
    command: process.execPath,
    args: ['--test', '--test-reporter=tap'],
    cwd,
    env: createCleanEnvironment(),
    signal,
    timeoutMs: 30_000,
  });
  const count = (label: string): number =>
    Number(new RegExp(`^# ${label} (\\d+)$`, 'm').exec(result.output.text)?.[1] ?? 0);
  return { ok: result.exitCode === 0 && count('pass') > 0, passed: count('pass'), failed: count('fail') };
}
