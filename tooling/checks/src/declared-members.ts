import { parseSync, Visitor } from 'oxc-parser';

import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

interface Declaration {
  readonly members: Set<string>;
  readonly parents: Set<string>;
}

/** Lists the members of every interface and class of a package, inherited ones included, by the name of the type. */
export function listDeclaredMembers(workspacePackage: WorkspacePackage): ReadonlyMap<string, ReadonlySet<string>> {
  const declarations = new Map<string, Declaration>();
  for (const file of listSourceFiles(workspacePackage)) {
    if (file.role === 'shipped' && /\b(?:interface|class)\b/.test(file.text))
      collect(file.text, file.path, declarations);
  }
  return new Map([...declarations.keys()].map((name) => [name, membersOf(name, declarations)]));
}

function collect(text: string, path: string, declarations: Map<string, Declaration>): void {
  const enter = (name: string): Declaration => {
    const known = declarations.get(name) ?? { members: new Set(), parents: new Set() };
    declarations.set(name, known);
    return known;
  };
  new Visitor({
    TSInterfaceDeclaration: (node) => {
      const { members, parents } = enter(node.id.name);
      for (const { expression } of node.extends) if (expression.type === 'Identifier') parents.add(expression.name);
      for (const member of node.body.body) {
        if (member.type === 'TSPropertySignature' || member.type === 'TSMethodSignature') add(member.key, members);
      }
    },
    ClassDeclaration: (node) => {
      if (!node.id) return;
      const { members } = enter(node.id.name);
      for (const member of node.body.body) {
        if (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') add(member.key, members);
      }
    },
  }).visit(parseSync(path, text).program);
}

function add(key: { readonly type: string }, members: Set<string>): void {
  if (key.type === 'Identifier' && 'name' in key) members.add(String(key.name));
}

function membersOf(
  name: string,
  declarations: ReadonlyMap<string, Declaration>,
  seen = new Set<string>(),
): ReadonlySet<string> {
  const declaration = declarations.get(name);
  if (declaration === undefined || seen.has(name)) return new Set();
  seen.add(name);
  const inherited = [...declaration.parents].flatMap((parent) => [...membersOf(parent, declarations, seen)]);
  return new Set([...declaration.members, ...inherited]);
}
