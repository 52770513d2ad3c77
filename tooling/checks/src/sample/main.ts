// Prints random comments, error messages and test names of the repository, to be read by a person.
import { parseArgs } from 'node:util';

import { readRepositoryFiles } from '../repository-words.ts';
import { draw } from './draw.ts';
import { findWording, type Wording } from './find-wording.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '20' } },
});
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
