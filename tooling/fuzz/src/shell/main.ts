import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { missingJail } from './run-in-bash.ts';
import { runShellFuzz, type ShellFuzzRequest } from './run-fuzz.ts';

const usage = `pnpm fuzz shell [--count N] [--seed N] [--out FILE] [--json]

Makes command lines, runs each with Bash in a jail whose programs only report their words, and holds what ran against
what @haft/permission judged: every program that ran must have been judged, or the line must be one that is asked about.
Exits with 1 if a line breaks that.

  --count N     number of lines (default 10000)
  --seed N      number of the first line; --seed after the last one goes on (default 1)
  --failures N  number of failures after which it ends (default 20)
  --out FILE    where failures are written, with minimised lines (default fuzz-failures-shell.json)
  --json        print one JSON value on standard output
`;

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs the fuzzer of command lines. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const request = readRequest(args);
  if (typeof request === 'string') {
    log(request === '' ? usage : `fuzz shell: ${request}\n\n${usage}`);
    return request === '' ? 0 : 2;
  }
  const missing = missingJail();
  if (missing !== undefined) {
    log(`fuzz shell: ${missing}`);
    return 2;
  }
  const startedAt = performance.now();
  let saidAt = startedAt;
  let written = 0;
  const result = await runShellFuzz(request, ({ lines, failures }) => {
    if (failures.length > written) writeFileSync(request.out, `${JSON.stringify(failures, undefined, 1)}\n`);
    for (const { seed, minimised } of failures.slice(written)) log(`  line ${seed}: ${JSON.stringify(minimised)}`);
    written = failures.length;
    if (performance.now() - saidAt < 10_000) return;
    saidAt = performance.now();
    log(`  ${lines} lines, ${failures.length} failures`);
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { lines, running, allowed, failures } = result;
  if (request.json) process.stdout.write(`${JSON.stringify({ ...result, seconds })}\n`);
  log(`${lines} lines in ${seconds} s; ${running} ran a program, ${allowed} of them without a question.`);
  for (const { minimised, unjudged } of failures) log(`  ${JSON.stringify(minimised)} ran ${JSON.stringify(unjudged)}`);
  log(failures.length === 0 ? 'Bash ran nothing that was not judged.' : `Failures are written to ${request.out}`);
  return failures.length === 0 ? 0 : 1;
}

function readRequest(
  args: readonly string[],
): (ShellFuzzRequest & { readonly out: string; readonly json: boolean }) | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        count: { type: 'string', default: '10000' },
        seed: { type: 'string', default: '1' },
        failures: { type: 'string', default: '20' },
        out: { type: 'string', default: 'fuzz-failures-shell.json' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return '';
    const request = {
      count: Number(values.count),
      seed: Number(values.seed),
      maxFailures: Number(values.failures),
    };
    if (!Object.values(request).every((value) => Number.isSafeInteger(value) && value > 0))
      return '--count, --seed and --failures: expected a whole number above 0';
    return { ...request, out: values.out, json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
