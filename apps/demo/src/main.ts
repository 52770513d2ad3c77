#!/usr/bin/env node
import { describeOldNode } from './program/node-version.ts';

const complaint = describeOldNode(process.versions.node);
if (complaint !== undefined) {
  process.stderr.write(`haft: ${complaint}\n`);
  process.exit(2);
}
// Only now: what an old Node can't load would fail with a riddle.
const { runProgram } = await import('./program/run-program.ts');
process.exit(await runProgram(process.argv.slice(2), process));
