import { relative } from 'node:path';

import { Comment, Converter, ReflectionKind, type Application, type Reflection } from 'typedoc';

import type { EntryPoint } from './entry-points.ts';

/** A plugin of TypeDoc that names each module as users import it, and describes the root entries as their packages do. Marks such as `@experimental` stay. */
export function namePackages(entryPoints: readonly EntryPoint[]): (app: Application) => void {
  return (app) => {
    app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
      for (const module of project.children ?? []) {
        const file = module.sources?.[0]?.fullFileName;
        const entry = entryPoints.find((each) => file !== undefined && relative(each.file, file) === '');
        if (entry === undefined) throw new Error(`no entry point has the file ${file ?? module.name}`);
        module.name = entry.name;
        if (entry.description !== undefined) {
          const marks = module.comment?.modifierTags;
          module.comment = new Comment([{ kind: 'text', text: entry.description }], [], marks);
        }
        if (module.comment === undefined)
          throw new Error(`${entry.name}: no comment with @packageDocumentation describes the entry (${entry.file})`);
      }
    });
    // TypeDoc marks everything in an experimental package. On the page of a type, its own mark is enough.
    app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
      for (const reflection of Object.values(project.reflections))
        if (isMember(reflection)) reflection.comment?.removeModifier('@experimental');
    });
  };
}

function isMember({ parent }: Reflection): boolean {
  if (parent === undefined) return false;
  return parent.kindOf([ReflectionKind.Class, ReflectionKind.Interface, ReflectionKind.TypeAlias]) || isMember(parent);
}
