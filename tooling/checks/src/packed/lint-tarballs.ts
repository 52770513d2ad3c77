/**
 * Lints tarballs with publint and attw, all in one process, because both take longer to load than to run.
 *
 * usage: node tooling/checks/src/packed/lint-tarballs.ts TARBALL …
 *
 * Prints the problems of each tarball as a JSON object: file names to lists of messages.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import type { Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Resolutions that no package supports: they have neither `exports` nor ESM. */
const unsupported = new Set(['node10', 'node16-cjs']);

const problems: Record<string, readonly string[]> = {};
for (const tarball of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(tarball));
  problems[basename(tarball)] = [...(await findPackagingProblems(bytes)), ...(await findTypeProblems(bytes))];
}
process.stdout.write(JSON.stringify(problems));

async function findPackagingProblems(bytes: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

/** attw resolves with TypeScript 5.6, which proves that older compilers follow the `.ts` of our declarations. */
async function findTypeProblems(bytes: Uint8Array): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  if (analysis.types === false) return ['attw: the package has no types'];
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && unsupported.has(problem.resolutionKind)))
    .map((problem) => `attw: ${describeTypeProblem(problem)}`);
}

function describeTypeProblem(problem: Problem): string {
  const place =
    'entrypoint' in problem
      ? `${problem.entrypoint} (${problem.resolutionKind})`
      : 'typesFileName' in problem
        ? problem.typesFileName
        : problem.fileName;
  return `${problem.kind} at ${place}`;
}
