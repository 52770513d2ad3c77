#!/usr/bin/env node
import { describeOldNode } from './program/node-version.ts';

const complaint = describeOldNode(process.versions.node);
if (complaint !== undefined) {
  process.stderr.write(`create-haft: ${complaint}\n`);
  process.exit(2);
}
// Imported late, because an old Node would fail here with an unclear error.
const { runProgram } = await import('./program/run-program.ts');
process.exitCode = await runProgram(process.argv.slice(2), process);
