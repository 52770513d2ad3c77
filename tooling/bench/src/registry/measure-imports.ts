import { bestOf, medianOf, runChild } from '@haft-tooling/measure';

/** Processor time in milliseconds of a new process that imports a module, including its own start. */
export interface ImportTime {
  readonly name: string;
  readonly median: number;
  readonly best: number;
}

/** Measures imports of the built packages, in alternating rounds. */
export async function measureImports(
  modules: Readonly<Record<string, string | undefined>>,
  rounds: number,
): Promise<readonly ImportTime[]> {
  const times = new Map<string, number[]>(Object.keys(modules).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, module] of Object.entries(modules)) times.get(name)?.push(await importOnce(module));
  }
  return Array.from(times, ([name, all]) => ({ name, median: medianOf(all), best: bestOf(all) }));
}

function importOnce(module: string | undefined): Promise<number> {
  const load = module === undefined ? '' : `await import(${JSON.stringify(module)});`;
  const printUsage =
    'const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000));';
  // Runs here, where the peers are installed.
  return runChild(['--input-type=module', '--eval', `${load} ${printUsage}`], { cwd: import.meta.dirname });
}
