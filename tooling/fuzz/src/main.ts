import { defaultFuzzer, fuzzers } from './fuzzers.ts';

const args = process.argv.slice(2).filter((argument) => argument !== '--');
// Options without a name belong to the text fuzzer.
const [name = defaultFuzzer, ...rest] = (args[0] ?? '').startsWith('-') ? [defaultFuzzer, ...args] : args;
const load = fuzzers.get(name);

if (load === undefined) {
  const known = [...fuzzers.keys()].join(', ');
  process.stderr.write(`fuzz: unknown fuzzer ${JSON.stringify(name)} (expected one of ${known})\n`);
  process.exitCode = 2;
} else {
  const { main } = await load();
  process.exitCode = await main(rest);
}
