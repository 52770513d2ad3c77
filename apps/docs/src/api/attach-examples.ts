import { Comment, CommentTag, Converter, ReflectionKind, type Application } from 'typedoc';

/** A program of a page that runs in the tests. */
export interface PageProgram {
  readonly title: string;
  /** Address of the page. */
  readonly address: string;
  readonly code: string;
}

/** Lists the programs of a page: its TypeScript blocks without a note. */
export function listPrograms(page: {
  readonly title: string;
  readonly address: string;
  readonly text: string;
}): readonly PageProgram[] {
  const { title, address, text } = page;
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => ({ title, address, code }));
}

/** Finds the shortest program that imports a name from an entry point, or from another one of the same package. */
export function findProgram(programs: readonly PageProgram[], entry: string, name: string): PageProgram | undefined {
  const [owner] = /^@[\w-]+\/[\w-]+/.exec(entry) ?? [entry];
  const imports = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '${owner}(?:/[\\w-]+)?';`);
  return programs.filter(({ code }) => imports.test(code)).toSorted((a, b) => a.code.length - b.code.length)[0];
}

/**
 * A plugin of TypeDoc that gives functions and classes without an example in their documentation the shortest program
 * of the pages that uses them. The tests of the repository run these programs.
 */
export function attachExamples(programs: readonly PageProgram[]): (app: Application) => void {
  return (app) => {
    app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
      for (const module of project.children ?? []) {
        for (const member of module.children ?? []) {
          const [commented] = member.kindOf(ReflectionKind.Class) ? [member] : (member.signatures ?? []);
          if (commented === undefined || commented.comment?.getTag('@example') !== undefined) continue;
          const program = findProgram(programs, module.name, member.name);
          if (program === undefined) continue;
          commented.comment ??= new Comment();
          commented.comment.blockTags.push(
            new CommentTag('@example', [
              { kind: 'text', text: `From [${program.title}](${program.address}):\n\n` },
              { kind: 'code', text: `\`\`\`ts\n${program.code}\`\`\`` },
            ]),
          );
        }
      }
    });
  };
}
