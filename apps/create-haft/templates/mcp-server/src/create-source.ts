import { allowAll, createDispatcher, createWorkspace, type ToolSource } from '@haft/core';
import { addNote } from './tools/add-note.ts';
import { searchNotes } from './tools/search-notes.ts';

/** The tools of the server. Add your own here. */
const tools = [searchNotes, addNote];

/** Everything that the server offers for a folder. */
export function createSource(cwd: string): ToolSource {
  // The client asks its user before its model uses a tool. `allowReadOnly` would refuse tools that change something.
  return createDispatcher({ registry: tools, workspace: createWorkspace({ cwd, permission: allowAll }) });
}
