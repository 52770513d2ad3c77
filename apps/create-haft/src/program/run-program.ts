import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { installDependencies, notPublished } from '../project/install-dependencies.ts';
import { detectPackageManager, scriptCommand, type PackageManager } from '../project/package-manager.ts';
import { projectName } from '../project/project-name.ts';
import { projectFiles } from '../project/template-files.ts';
import { findTemplate, templates, type Template } from '../project/templates.ts';
import { checkFolder, writeProject } from '../project/write-project.ts';
import { Cancelled, openQuestions, type Questions } from '../prompts/questions.ts';
import { describeProgram } from './help.ts';
import { parseOptions, type Options } from './parse-options.ts';
import { UsageError } from './usage-error.ts';

/** Creates a project as the command line says, and returns the exit code. Every error is one line on standard error. */
export async function runProgram(argv: readonly string[], source: NodeJS.Process): Promise<number> {
  try {
    const options = parseOptions(argv);
    if (options.help) return answer(source, describeProgram());
    if (options.version) return answer(source, `create-haft ${ownVersion()}\n`);
    return await createProject(await complete(options, source), source);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Cancelled)) throw error;
    source.stderr.write(`create-haft: ${error.message}\n`);
    return error instanceof Cancelled ? 130 : 2;
  }
}

/** The answers from which a project is created. */
interface Plan {
  /** The folder as typed. */
  readonly folder: string;
  readonly template: Template;
  readonly packageManager: PackageManager;
  readonly install: boolean;
  readonly merge: boolean;
}

async function complete(options: Options, source: NodeJS.Process): Promise<Plan> {
  const detected = detectPackageManager(source.env);
  const merge = options.merge;
  const check = (folder: string): void => {
    const path = resolve(folder);
    projectName(path);
    checkFolder(path, [], { merge, shown: folder });
  };
  // A wrong folder is reported before the first question.
  if (options.folder !== undefined) check(options.folder);
  const canAsk = source.stdin.isTTY && source.stdout.isTTY && !options.yes && source.env['CI'] === undefined;
  const questions: Questions | undefined = canAsk ? openQuestions(source.stdin, source.stdout) : undefined;
  try {
    const folder = options.folder ?? (await questions?.folder(check));
    if (folder === undefined) {
      throw new UsageError(
        'FOLDER is missing (expected a name, such as: npm create haft my-project -- --template agent)',
      );
    }
    const template = findTemplate(options.template ?? (await questions?.template()) ?? '') ?? templates[0];
    if (template === undefined) throw new UsageError('the installed package contains no templates; install it again');
    const packageManager = options.packageManager ?? (await questions?.packageManager(detected)) ?? detected;
    const install = options.install ?? (await questions?.install(packageManager)) ?? true;
    return { folder, template, packageManager, install, merge };
  } finally {
    questions?.close();
  }
}

async function createProject(plan: Plan, source: NodeJS.Process): Promise<number> {
  const { folder, template, packageManager, install, merge } = plan;
  const path = resolve(folder);
  const name = projectName(path);
  const files = projectFiles({ name, template, packageManager, version: ownVersion() });
  checkFolder(path, files.keys(), { merge, shown: folder });
  withoutInterruption(source, () => writeProject(path, files));
  source.stdout.write(`Created ${name} in ${folder} from the template ${template.name} (${files.size} files).\n`);
  const failure = install ? await installDependencies(path, packageManager) : undefined;
  if (failure !== undefined) {
    const remedy =
      failure === notPublished
        ? 'pack them in a clone of https://github.com/haft-project/haft (see CONTRIBUTING.md), and install the tarballs'
        : `run "${packageManager} install"`;
    source.stderr.write(`create-haft: ${failure}. The files of the project are complete: ${remedy} in ${folder}.\n`);
    return 1;
  }
  const steps = [
    ...(path === source.cwd() ? [] : [`cd ${quoted(folder)}`]),
    ...(install ? [] : [`${packageManager} install`]),
    scriptCommand(packageManager, template.firstScript),
    scriptCommand(packageManager, 'test'),
  ];
  source.stdout.write(
    `\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}\nREADME.md describes the files; AGENTS.md is for coding agents.\n`,
  );
  return 0;
}

/** With a listener, Ctrl-C does not end the program while it writes, because writing is synchronous. */
function withoutInterruption(source: NodeJS.Process, write: () => void): void {
  const ignore = (): void => {};
  source.on('SIGINT', ignore).on('SIGTERM', ignore);
  try {
    write();
  } finally {
    source.off('SIGINT', ignore).off('SIGTERM', ignore);
  }
}

function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : JSON.stringify(path);
}

function answer(source: NodeJS.Process, text: string): number {
  source.stdout.write(text);
  return 0;
}

/** Versions of all Haft packages are equal. */
function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
