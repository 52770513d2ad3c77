// Runs a fuzzer: pnpm fuzz [shell] [options]
const args = process.argv.slice(2).filter((argument) => argument !== '--');

if (args[0] === 'shell') {
  const { main } = await import('./shell/main.ts');
  process.exitCode = await main(args.slice(1));
} else await import('../../bench/src/fuzz/main.ts');
