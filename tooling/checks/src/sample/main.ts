// Prints random comments, error messages and test names of the repository, to be read by a person.
import { parseArgs } from 'node:util';

import { readRepositoryFiles } from '../repository-words.ts';
import { draw } from './draw.ts';
import { findWording, type Wording } from './find-wording.ts';

const usage = `usage: pnpm sample-wording [--seed N] [--count N]
  --seed   number that selects the sample (default: 1)
  --count  number of comments, of error messages and of test names (default: 20)`;
const values = readOptions();
const wordings = readRepositoryFiles()
  .filter(({ path }) => /^(?:packages|apps|tooling)\/.*\.ts$/.test(path) && !path.includes('/fixtures/'))
  .map(({ path, text }) => findWording(path, text));

const show = (title: string, all: readonly Wording[]): void => {
  console.log(`\n${title} (${values.count} of ${all.length}, seed ${values.seed})\n`);
  for (const { where, text } of draw(all, Number(values.count), Number(values.seed))) {
    console.log(`- ${where}\n  ${text.replaceAll('\n', '\n  ')}`);
  }
};
show(
  'Comments',
  wordings.flatMap(({ comments }) => comments),
);
show(
  'Error messages',
  wordings.flatMap(({ messages }) => messages),
);
show(
  'Test names',
  wordings.flatMap(({ testNames }) => testNames),
);

function readOptions(): { readonly seed: string; readonly count: string } {
  try {
    const { values: given } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        count: { type: 'string', default: '20' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (given.help) {
      console.log(usage);
      process.exit();
    }
    return given;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return process.exit(2);
  }
}
