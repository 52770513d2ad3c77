import { listCodeBlocks } from './code-blocks.ts';
import type { Problem } from './problem.ts';
import type { WorkspacePackage } from './workspace.ts';

const sections: readonly (readonly [name: string, heading: RegExp])[] = [
  ['when to use it, and when not', /when (?:not )?to use|^\**(?:do not |don't )?use it\**/i],
  ['install', /^install/i],
  ['an example', /example|quick start|first|use$/i],
  ['API', /\bapi\b/i],
  ['errors', /errors|failures/i],
  ['limits', /limits/i],
  ['security', /security/i],
];

/** Finds the gaps of a package's README: a section, its install line, a runnable example, an exported function. */
export function findReadmeProblems(
  { folder, manifest, files }: WorkspacePackage,
  exportedValues: readonly string[],
): readonly Problem[] {
  const where = `${folder}/README.md`;
  const text = files.get('README.md');
  if (text === undefined)
    return [{ where, what: 'it is missing', remedy: 'Write one, in the sections of CONTRIBUTING.md' }];
  const problems: Problem[] = [];
  if (!text.startsWith(`# ${manifest.name}\n`)) {
    problems.push({
      where,
      what: 'its title is not the name of the package',
      remedy: `Begin with "# ${manifest.name}"`,
    });
  }
  // A section is a heading, or a paragraph that begins in bold.
  const headings = [...text.matchAll(/^(?:#{2,3} |\*\*)(.+)$/gm)].map((match) => (match[1] ?? '').trim());
  for (const [name, heading] of sections) {
    if (!headings.some((candidate) => heading.test(candidate))) {
      problems.push({ where, what: `no section "${name}"`, remedy: 'Add it under a heading of its own' });
    }
  }
  if (!text.includes(`npm install ${manifest.name}`) && !text.includes(`npm i ${manifest.name}`)) {
    problems.push({ where, what: 'the install command is missing', remedy: `Write "npm install ${manifest.name}"` });
  }
  if (!/^```ts$/m.test(text)) {
    problems.push({
      where,
      what: 'it has no runnable example',
      remedy: 'Add a ```ts block that ends in an assertion',
    });
  }
  // An example must read `stopReason`, because a failed run has an empty text and readers copy the example.
  const firstRun = listCodeBlocks(text).find(({ language, code }) => language === 'ts' && code.includes(' runAgent({'));
  if (firstRun !== undefined && !firstRun.code.includes('stopReason')) {
    problems.push({
      where: `${where}:${firstRun.line}`,
      what: 'its first example of runAgent does not look at stopReason',
      remedy: "Assert that stopReason is 'finished' before using the text",
    });
  }
  for (const value of exportedValues) {
    if (!new RegExp(`\\b${value}\\b`).test(text)) {
      problems.push({
        where,
        what: `it does not mention ${value}, which the package exports`,
        remedy: 'Add a line for it under API',
      });
    }
  }
  return problems;
}
