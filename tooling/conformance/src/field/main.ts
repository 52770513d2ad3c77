// Runs popular servers through their whole life cycle: pnpm field:mcp [--write] [NAME…]
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fieldServers } from './servers.ts';
import { tryServer, type FieldOutcome } from './try-server.ts';

const page = fileURLToPath(new URL('../../../../docs/mcp-servers.md', import.meta.url));
const [startMark, endMark] = ['<!-- field:mcp -->', '<!-- /field:mcp -->'];

function isGood({ problem, left, cancelled, afterKill, call }: FieldOutcome): boolean {
  const isTyped = cancelled === '-' || cancelled === 'ABORTED' || cancelled === 'ok';
  const isBack = afterKill === call || afterKill === 'ready';
  return problem === '' && left.close + left.interrupt + left.kill === 0 && isTyped && isBack;
}

function makeTable(outcomes: readonly FieldOutcome[]): string {
  const head =
    '| server | start | era | tools | call | cancelled call | after `kill -9` of the server | left by close, Ctrl-C, `kill -9` of the program |';
  const rows = outcomes.map(
    ({ package: name, version, startMs, era, tools, call, cancelled, afterKill, left, problem }) =>
      problem === ''
        ? `| ${name} ${version} | ${startMs} ms | ${era} | ${tools} | ${call} | ${cancelled} | ${afterKill} | ${left.close}, ${left.interrupt}, ${left.kill} |`
        : `| ${name} ${version} | ${problem.replaceAll('|', '/').slice(0, 160)} | | | | | | ${left.close} |`,
  );
  return [head, '|---|---|---|---|---|---|---|---|', ...rows].join('\n');
}

const given = process.argv.slice(2);
const names = given.filter((one) => !one.startsWith('--'));
const chosen = fieldServers.filter((one) => names.length === 0 || names.some((name) => one.package.includes(name)));
const root = await mkdtemp(join(tmpdir(), 'haft-field-'));
const outcomes: FieldOutcome[] = [];
try {
  for (const [index, server] of chosen.entries()) {
    const installed = join(root, String(index));
    const folder = join(installed, 'folder');
    await mkdir(folder, { recursive: true });
    await writeFile(join(installed, 'package.json'), '{"private":true}');
    const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', server.package];
    await promisify(execFile)('npm', npm, { cwd: installed, maxBuffer: 64 * 1024 * 1024 });
    const outcome = await tryServer(server, installed, folder);
    outcomes.push(outcome);
    process.stderr.write(`${makeTable([outcome]).split('\n').at(-1)}\n`);
    await rm(installed, { recursive: true, force: true });
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
const table = makeTable(outcomes);
process.stdout.write(`${table}\n`);
if (given.includes('--write')) {
  const text = await readFile(page, 'utf8');
  const [start, end] = [text.indexOf(startMark), text.indexOf(endMark)];
  if (start === -1 || end < start) throw new Error(`${page}: expected ${startMark} before ${endMark}`);
  await writeFile(page, `${text.slice(0, start)}${startMark}\n${table}\n${text.slice(end)}`);
}
process.exitCode = outcomes.every(isGood) ? 0 : 1;
