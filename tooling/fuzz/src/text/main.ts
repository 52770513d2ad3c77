import { writeFileSync } from 'node:fs';

import { beginRecord, readRecord, totalOf, writeRecord } from './fuzz-record.ts';
import type { FuzzRecord } from './fuzz-record.ts';
import { readArguments, usage } from './read-arguments.ts';
import type { FuzzRequest } from './read-arguments.ts';
import { runShares } from './run-shares.ts';

const saidEveryMs = 10_000;
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const numbers = new Intl.NumberFormat('en');
const write = (value: number): string => numbers.format(Math.round(value));

/**
 * Runs the text fuzzer for a command line. Returns the exit code: 0 if every law held, 1 if one was broken, 2 for a
 * mistake.
 */
export async function main(args: readonly string[]): Promise<number> {
  const request = readArguments(args, new Date().toISOString().slice(0, 10));
  if (typeof request === 'string') {
    log(request === '' ? usage : `fuzz: ${request}`);
    return request === '' ? 0 : 2;
  }
  const record = await fuzz(request);
  const { seconds, traits, failures } = record;
  const { done, full } = totalOf(record);
  if (failures.length > 0) writeFileSync(request.out, `${JSON.stringify(failures, undefined, 1)}\n`);
  if (request.json) process.stdout.write(`${JSON.stringify({ done, full, seconds, traits, failures })}\n`);
  else {
    log(
      `${write(done)} texts in ${write(seconds)} s (${write(done / seconds)} a second), read in ${write(traits)} different ways`,
    );
    const share = ((100 * full) / Math.max(1, done)).toFixed(1);
    log(`All laws were asked of ${write(full)} of them (${share} %), the quick ones of every text.`);
    for (const { law, detail, text } of failures) log(`  broken: ${law}\n    ${JSON.stringify(text)}\n    ${detail}`);
    log(failures.length === 0 ? 'No law is broken.' : `${failures.length} failures written to ${request.out}`);
    if (done < record.count) log(`${write(record.count - done)} texts are left.`);
  }
  return failures.length === 0 ? 0 : 1;
}

async function fuzz(request: FuzzRequest): Promise<FuzzRecord> {
  const { resume, minutes } = request;
  const known = resume === undefined ? undefined : readRecord(resume);
  const record = known ?? beginRecord(request);
  const keep = (): void => void (resume !== undefined && writeRecord(resume, record));
  const goesOn = known === undefined ? '' : `, going on after ${write(totalOf(record).done)} texts`;
  log(`fuzz: seed ${record.seed}, ${write(record.count)} texts, ${record.shares.length} processes${goesOn}`);
  const ending = new AbortController();
  const end = (): void => {
    // A second interrupt means that the user does not want to wait.
    if (ending.signal.aborted) process.exit(130);
    log('fuzz: ending');
    ending.abort();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  let last = { ...totalOf(record), at: performance.now() };
  const say = setInterval(() => {
    const now = { ...totalOf(record), at: performance.now() };
    const speed = ((now.done - last.done) * 1_000) / (now.at - last.at);
    last = now;
    log(`  ${write(now.done)} texts, ${write(speed)} a second, ${record.failures.length} failures`);
    keep();
  }, saidEveryMs);
  try {
    await runShares(record, {
      deadline: Date.now() + minutes * 60_000,
      signal: ending.signal,
      onFailure: ({ law, text }) => {
        log(`  broken: ${law} ${JSON.stringify(text)}`);
        keep();
      },
    });
  } finally {
    clearInterval(say);
    process.off('SIGINT', end).off('SIGTERM', end);
    keep();
  }
  return record;
}
