import { bestOf, inRounds, medianOf, runChild } from '@haft-tooling/measure';

/** A program, measured in a fresh process. */
export interface ImportingProgram {
  readonly name: string;
  /** Module code. Empty for a process that does nothing. */
  readonly code: string;
  /** Folder that packages are resolved from. */
  readonly cwd: string;
}

/** The cost of fresh processes that run one program, including their start. */
export interface ImportCost {
  readonly name: string;
  /** Milliseconds of processor time. */
  readonly median: number;
  readonly best: number;
  /** Resident memory in megabytes at the end. */
  readonly megabytes: number;
}

/** Measures programs in alternating rounds, each in a fresh process per round. */
export async function measureImports(
  programs: readonly ImportingProgram[],
  rounds: number,
): Promise<readonly ImportCost[]> {
  const byName = new Map(programs.map((program) => [program.name, program]));
  const samples = await inRounds([...byName.keys()], rounds, (name) => runOnce(byName.get(name)!));
  return Object.entries(samples).map(([name, costs]) => {
    const cpu = costs.map(([ms]) => ms);
    return { name, median: medianOf(cpu), best: bestOf(cpu), megabytes: medianOf(costs.map(([, used]) => used)) };
  });
}

function runOnce({ code, cwd }: ImportingProgram): Promise<readonly [cpuMs: number, megabytes: number]> {
  const print =
    'const { user, system } = process.cpuUsage(); process.stdout.write(JSON.stringify([(user + system) / 1000, process.memoryUsage.rss() / 1e6]));';
  return runChild(['--input-type=module', '--eval', `${code} ${print}`], { cwd });
}
