// Attacks the built packages: pnpm attack [area…] [--long] [--list] [--json]
import { parseArgs } from 'node:util';

import type { AttackOutcome } from './attack.ts';
import { listAreaNames, loadArea } from './list-areas.ts';
import { runAttack } from './run-attack.ts';

const usage = `pnpm attack [area…] [--long] [--list] [--json]

Builds the packages, then runs attacks on them. Exits with 1 if one breaks through.

  area     run these areas only; known: ${listAreaNames().join(', ')}
  --long   also run the attacks that take long
  --list   print the attacks instead of running them
  --json   print one JSON value on standard output
`;

interface Finding {
  readonly area: string;
  readonly attack: string;
  readonly outcome: AttackOutcome;
}

function fail(message: string): never {
  process.stderr.write(`attack: ${message}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = {
      long: { type: 'boolean' },
      list: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({
      args: process.argv.slice(2).filter((argument) => argument !== '--'),
      options,
      allowPositionals: true,
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { values, positionals } = readArguments();
if (values.help === true) {
  process.stdout.write(usage);
  process.exit(0);
}
const names = positionals.length > 0 ? positionals : listAreaNames();
for (const name of names)
  if (!listAreaNames().includes(name)) fail(`unknown area "${name}" (expected ${listAreaNames().join(', ')})`);

const say = (line: string): void => void process[values.json === true ? 'stderr' : 'stdout'].write(`${line}\n`);
const findings: Finding[] = [];
for (const name of names) {
  const area = await loadArea(name);
  say(`\n${name}: ${area.subject}`);
  for (const attack of area.attacks) {
    if (attack.isLong === true && values.long !== true && values.list !== true) continue;
    if (values.list === true) {
      say(`  ${attack.name}${attack.isLong === true ? ' (long)' : ''}`);
      continue;
    }
    const outcome = await runAttack(attack);
    findings.push({ area: name, attack: attack.name, outcome });
    if (outcome.kind === 'held') say(`  held     ${attack.name} (${Math.round(outcome.durationMs)} ms)`);
    else if (outcome.kind === 'skipped') say(`  skipped  ${attack.name}: ${outcome.reason}`);
    else say(`  BREACH   ${attack.name}\n           ${outcome.achieved.replaceAll('\n', '\n           ')}`);
  }
}
const count = (kind: AttackOutcome['kind']): number => findings.filter(({ outcome }) => outcome.kind === kind).length;
if (values.json === true) process.stdout.write(`${JSON.stringify(findings, undefined, 2)}\n`);
if (values.list !== true) say(`\n${count('held')} held, ${count('breach')} broke through, ${count('skipped')} skipped`);
// Anything that an attack left running must not keep this program alive.
process.exit(count('breach') > 0 ? 1 : 0);
