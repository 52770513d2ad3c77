import { packageManagers } from '../project/package-manager.ts';
import { templates } from '../project/templates.ts';

/** The text of `--help`. */
export function describeProgram(): string {
  const width = Math.max(...templates.map(({ name }) => name.length));
  const rows = templates.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `create-haft: creates a project with Haft

Usage: npm create haft [FOLDER] -- [OPTIONS]
       pnpm create haft [FOLDER] [OPTIONS]    (the same with yarn; bun create haft)

Templates
${rows.join('\n')}

Options
  -t, --template NAME         the template (default: ${templates[0]?.name})
  -p, --package-manager NAME  ${packageManagers.join(', ')} (default: the one that runs this command)
      --install               install the dependencies (default)
      --no-install            create the files only
      --merge                 create the project in a folder that is not empty; never overwrites a file
  -y, --yes                   ask no questions, and use the defaults
  -h, --help                  show this help
  -v, --version               print the version

At a terminal, the program asks for everything that no option sets. Without one, FOLDER is required and the defaults apply.
Exit codes: 0 created, 1 created but not installed, 2 invalid command line or folder (nothing is written), 130 cancelled.
`;
}
