import type { ToolTraits } from '@haft/core';

/** For a tool that reads files and changes nothing. */
export const readsFiles: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: false,
  requires: ['filesystem'],
};

/** For a tool that changes files inside the workspace. */
export const changesFiles: Partial<ToolTraits> = {
  readOnly: false,
  destructive: true,
  openWorld: false,
  sideEffects: 'write',
  requires: ['filesystem'],
};

/** For a tool that reads from the web and changes nothing there. */
export const readsWeb: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: true,
  sideEffects: 'external',
  requires: ['network'],
};

/** For a tool that keeps notes for its session and touches nothing else. */
export const keepsNotes: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: false,
  sideEffects: 'none',
  requires: [],
};
