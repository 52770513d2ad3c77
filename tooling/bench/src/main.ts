import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { readArguments } from './arguments.ts';
import { benchmarks } from './benchmarks.ts';
import { redraw, renderMarkdown, renderTable, showPicture, writeSection } from '@haft-tooling/benchmark-page';
import type { Row } from '@haft-tooling/measure';

const page = new URL('../../../docs/benchmarks.md', import.meta.url);
const log = (line: string): void => void process.stderr.write(`${line}\n`);

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const request = readArguments(args, Object.keys(benchmarks));
  if (request.kind === 'mistake') {
    log(`bench: ${request.message}`);
    return 2;
  }
  if (request.kind === 'help') {
    process.stdout.write(await renderHelp());
    return 0;
  }
  if (request.kind === 'redraw') {
    writePage(readFileSync(page, 'utf8'));
    return 0;
  }
  const benchmark = await benchmarks[request.name]?.();
  if (benchmark === undefined) return 2;
  log(`${request.name}: ${benchmark.summary}`);
  const attachments: string[] = [];
  const attach = (markdown: string): void => void attachments.push(markdown);
  const rows = await benchmark.run({
    rounds: request.rounds,
    full: request.full,
    isWritten: request.write,
    attach,
    log,
  });
  if (request.write) {
    const head = [`## ${request.name}`, benchmark.summary, showPicture(request.name), describeMachine(request.rounds)];
    const body = `${[...head, renderMarkdown(rows), ...attachments].join('\n\n')}\n`;
    writePage(writeSection(readFileSync(page, 'utf8'), request.name, body));
  }
  const plain = rows.map(({ what, unit, haft, peers, bar, holds }): Row => ({ what, unit, haft, peers, bar, holds }));
  process.stdout.write(request.json ? `${JSON.stringify({ rows: plain })}\n` : `${renderTable(rows)}\n`);
  return 0;
}

/** Writes the page, its first page, and the pictures that are drawn from the tables of all sections. */
function writePage(text: string): void {
  const redrawn = redraw(text);
  writeFileSync(page, redrawn.page);
  for (const [file, picture] of redrawn.pictures) writeFileSync(new URL(file, page), picture);
  log('wrote docs/benchmarks.md and its pictures');
}

function describeMachine(rounds: number): string {
  const processor = cpus()[0]?.model ?? 'an unknown processor';
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `Node ${process.versions.node}, ${processor}, ${availableParallelism()} cores (load ${load}), ${rounds} rounds.`;
}

async function renderHelp(): Promise<string> {
  const names = await Promise.all(
    Object.entries(benchmarks).map(async ([name, load]) => `  ${name.padEnd(12)}${(await load()).summary}`),
  );
  return [
    'pnpm bench NAME [--json] [--write] [--full] [--rounds N]',
    'pnpm bench --redraw',
    '',
    'Measures Haft beside its peers in one run and prints a table.',
    '',
    ...names,
    '',
    '  --json      print one object, { rows: [{ what, unit, haft, peers, bar, holds }] }, and nothing else',
    '  --write     also put the outcome into docs/benchmarks.md',
    '  --full      count every case, where a run counts cases; the default is what a few minutes allow',
    '  --rounds N  measure every contender N times (9)',
    '  --redraw    measure nothing: write the first page and the pictures of docs/benchmarks.md anew from its tables',
    '',
  ].join('\n');
}
