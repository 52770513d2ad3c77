import { writeFileSync } from 'node:fs';

import type { Failure } from './input.ts';
import { readArguments, usage } from './read-arguments.ts';
import type { FuzzRequest } from './read-arguments.ts';
import { watchProcess } from './watch-process.ts';

const silenceMs = 120_000;
const saidEveryMs = 10_000;
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const numbers = new Intl.NumberFormat('en');
const write = (value: number): string => numbers.format(value);

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const request = readArguments(args, new Date().toISOString().slice(0, 10));
  if (typeof request === 'string') {
    log(request === '' ? usage : `fuzz: ${request}`);
    return request === '' ? 0 : 2;
  }
  const outcome = await fuzz(request);
  const { done, seconds, traits, failures } = outcome;
  if (failures.length > 0) writeFileSync(request.out, `${JSON.stringify(failures, undefined, 1)}\n`);
  if (request.json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
  else {
    const speed = write(Math.round(done / seconds));
    log(
      `${write(done)} texts in ${write(Math.round(seconds))} s (${speed} a second), read in ${write(traits)} different ways`,
    );
    for (const { law, detail, text } of failures) log(`  broken: ${law}\n    ${JSON.stringify(text)}\n    ${detail}`);
    log(failures.length === 0 ? 'No law is broken.' : `${failures.length} failures written to ${request.out}`);
  }
  return failures.length === 0 ? 0 : 1;
}

interface FuzzOutcome {
  readonly done: number;
  readonly seconds: number;
  readonly traits: number;
  readonly failures: readonly Failure[];
}

async function fuzz({ count, seed, minutes, jobs }: FuzzRequest): Promise<FuzzOutcome> {
  const start = performance.now();
  const deadline = Date.now() + minutes * 60_000;
  const share = Math.ceil(count / jobs);
  const done = Array.from({ length: jobs }, () => 0);
  const failures: Failure[] = [];
  let traits = 0;
  log(`fuzz: seed ${seed}, ${jobs} processes`);
  const say = setInterval(() => {
    const all = done.reduce((sum, one) => sum + one, 0);
    const speed = all / ((performance.now() - start) / 1_000);
    log(`  ${write(all)} texts, ${write(Math.round(speed))} a second, ${failures.length} failures`);
  }, saidEveryMs);
  const runShare = async (job: number): Promise<void> => {
    // One that its process did not survive ends that process, not the share.
    for (let attempt = 0; (done[job] ?? 0) < share && Date.now() < deadline; attempt += 1) {
      const before = done[job] ?? 0;
      const report = await watchProcess({
        order: { seed: `${seed}/${job}/${attempt}`, count: share - before, deadline },
        silenceMs,
        onDone: (more) => void (done[job] = before + more),
      });
      done[job] = before + report.done + (report.done < share - before ? 1 : 0);
      traits = Math.max(traits, report.traits);
      failures.push(...report.failures);
      // Said at once: whoever waits for millions of texts wants to know before they are all read.
      for (const { law, text } of report.failures) log(`  broken: ${law} ${JSON.stringify(text)}`);
    }
  };
  try {
    await Promise.all(done.map((_, job) => runShare(job)));
  } finally {
    clearInterval(say);
  }
  const all = done.reduce((sum, one) => sum + one, 0);
  return { done: Math.min(all, count), seconds: (performance.now() - start) / 1_000, traits, failures };
}
