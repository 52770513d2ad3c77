/**
 * Writes a file over and over with the tools that the first argument names, until the process is killed. Prints a line
 * when it has begun.
 */
import { openFor } from '@haft-tooling/peers/files/file-tools';

const [name = '', path = '', bytes = '2000000'] = process.argv.slice(2);
const { tools, file } = await openFor(name, path);
const contents = ['a', 'b'].map((letter) => `${letter.repeat(63)}\n`.repeat(Math.round(Number(bytes) / 64)));
await tools.read(file);
for (let round = 0; ; round += 1) {
  await tools.write(file, contents[round % 2] ?? '');
  if (round === 0) process.stdout.write('writing\n');
}
