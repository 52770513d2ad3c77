import type { ToolTraits } from '@haft/core';

/** Of a tool that looks at files and changes nothing. */
export const readsFiles: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: false,
  requires: ['filesystem'],
};

/** Of a tool that changes files inside the workspace. */
export const changesFiles: Partial<ToolTraits> = {
  readOnly: false,
  destructive: true,
  openWorld: false,
  sideEffects: 'write',
  requires: ['filesystem'],
};

/** Of a tool that asks the web and changes nothing there. */
export const readsWeb: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: true,
  sideEffects: 'external',
  requires: ['network'],
};

/** Of a tool that keeps notes for the session it is called in, and touches nothing else. */
export const keepsNotes: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: false,
  sideEffects: 'none',
  requires: [],
};
