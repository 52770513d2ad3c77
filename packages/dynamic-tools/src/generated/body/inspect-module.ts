import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runProcess } from '@haft/sandbox';
import type { ModuleFault, ModuleQuestion } from './read-module.ts';

const isSource = import.meta.url.endsWith('.ts');
const program: string = fileURLToPath(
  new URL(isSource ? './module-program.ts' : './module-program.js', import.meta.url),
);
const flags = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=256', '--stack-size=900'];
const timeoutMs = 10_000;

/** Inspects a tool's module in a separate process. Resolves to the faults. */
export async function inspectModule(question: ModuleQuestion, signal?: AbortSignal): Promise<ModuleFault | undefined> {
  const result = await runProcess({
    command: process.execPath,
    args: [...flags, program],
    cwd: tmpdir(),
    env: {},
    stdin: JSON.stringify(question),
    streams: 'separate',
    timeoutMs,
    killGraceMs: 100,
    ...(signal && { signal }),
  });
  if (result.exitCode !== 0) return { message: 'it could not be parsed: it is too deep or too large' };
  return (JSON.parse(result.output.text) as ModuleFault | null) ?? undefined;
}
