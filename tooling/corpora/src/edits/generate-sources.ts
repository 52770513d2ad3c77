import type { Random } from '../random.ts';

type Generator = (random: Random, words: readonly string[]) => readonly string[];

const vocabularies: Readonly<Record<string, readonly string[]>> = {
  development: 'order invoice price stock parcel client basket label branch ticket ledger meter'.split(' '),
  'held-out': 'planet orbit comet signal probe crater lander antenna beacon mission rocket cargo'.split(' '),
};

const title = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const python: Generator = (random, words) => {
  const lines = ['import json', 'from dataclasses import dataclass', ''];
  for (let index = 0; index < 8; index += 1) {
    const [name = '', other = ''] = random.sample(words, 2);
    lines.push('', '@dataclass', `class ${title(name)}${index}:`, `    """A ${name} with its ${other}."""`, '');
    lines.push(`    ${other}_count: int = ${random.whole(1, 99)}`, `    ${name}_name: str = "${name}-${index}"`, '');
    lines.push(`    def add_${other}(self, ${other}, limit=${random.whole(2, 50)}):`);
    lines.push(
      `        if self.${other}_count >= limit:`,
      `            raise ValueError("too many: " + str(${other}))`,
    );
    lines.push(
      `        for step in range(${random.whole(2, 9)}):`,
      `            self.${other}_count += step * ${random.whole(2, 9)}`,
    );
    lines.push(`        return {'${name}': self.${name}_name, '${other}': self.${other}_count}`, '');
  }
  return lines;
};

const go: Generator = (random, words) => {
  const lines = ['package stock', '', 'import (', '\t"fmt"', '\t"strings"', ')'];
  for (let index = 0; index < 8; index += 1) {
    const [name = '', other = ''] = random.sample(words, 2);
    lines.push(
      '',
      `// ${title(name)}${index} holds ${random.whole(2, 99)} of ${other}.`,
      `type ${title(name)}${index} struct {`,
    );
    lines.push(`\t${title(other)} string \`json:"${other}"\``, `\tCount${index} int`, '}', '');
    lines.push(`func (self *${title(name)}${index}) ${title(other)}Of(key string) (int, error) {`);
    lines.push(
      `\tif strings.HasPrefix(key, "${name}") {`,
      `\t\treturn 0, fmt.Errorf("no %s for %d", key, ${random.whole(1, 99)})`,
      '\t}',
    );
    lines.push(
      `\tfor at := 0; at < ${random.whole(3, 30)}; at++ {`,
      `\t\tself.Count${index} += at - ${random.whole(1, 9)}`,
      '\t}',
    );
    lines.push(`\treturn self.Count${index}, nil`, '}');
  }
  return lines;
};

const json: Generator = (random, words) => {
  const lines = ['{'];
  for (let index = 0; index < 14; index += 1) {
    const [name = '', other = ''] = random.sample(words, 2);
    lines.push(
      `  "${name}-${index}": {`,
      `    "${other}": ${random.whole(1, 9_999)},`,
      `    "label": "the ${other} of ${name}",`,
    );
    lines.push(
      '    "parts": [',
      `      "${name}",`,
      `      "${other}/${random.whole(1, 99)}"`,
      '    ]',
      index === 13 ? '  }' : '  },',
    );
  }
  return [...lines, '}'];
};

const yaml: Generator = (random, words) => {
  const lines = ['version: 2', 'services:'];
  for (let index = 0; index < 14; index += 1) {
    const [name = '', other = ''] = random.sample(words, 2);
    lines.push(
      `  ${name}-${index}:`,
      `    image: "${other}:${random.whole(1, 20)}.${random.whole(0, 9)}"`,
      '    environment:',
    );
    lines.push(
      `      - ${name.toUpperCase()}_LIMIT=${random.whole(10, 999)}`,
      `      - NAME='${other} ${index}'`,
      `    replicas: ${random.whole(1, 40)}`,
      '',
    );
  }
  return lines;
};

const markdown: Generator = (random, words) => {
  const lines = ['# Handbook', ''];
  for (let index = 0; index < 12; index += 1) {
    const [name = '', other = ''] = random.sample(words, 2);
    lines.push(
      `## ${title(name)} and ${other} ${index}`,
      '',
      `A ${name} has at most ${random.whole(2, 99)} of "${other}".`,
      `Don't move it - it's the ${other}'s own.`,
      '',
    );
    lines.push(
      `- first the ${name}`,
      `  - then ${random.whole(2, 20)} ${other}s`,
      `- last \`${name}.${other}()\``,
      '',
      '```sh',
      `${name} --${other}=${random.whole(1, 9)}`,
      '```',
      '',
    );
  }
  return lines;
};

/** Creates files in several languages from the words of a range of seeds, as lines. */
export function generateSources(random: Random): readonly (readonly string[])[] {
  const words = vocabularies[random.row] ?? Object.values(vocabularies).flat();
  return [python, go, json, yaml, markdown].flatMap((generate) =>
    Array.from({ length: 4 }, () => generate(random, words)),
  );
}
