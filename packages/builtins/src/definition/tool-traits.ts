import type { ToolTraits } from '@haft/core';

/** Traits of a tool that reads files and changes nothing. */
export const readsFiles: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: false,
  requires: ['filesystem'],
};

/** Traits of a tool that changes files inside the workspace. */
export const changesFiles: Partial<ToolTraits> = {
  readOnly: false,
  destructive: true,
  openWorld: false,
  sideEffects: 'write',
  requires: ['filesystem'],
};

/** Traits of a tool that reads from the web and changes nothing there. */
export const readsWeb: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: true,
  sideEffects: 'external',
  requires: ['network'],
};

/** Traits of a tool that only stores notes of its session. */
export const keepsNotes: Partial<ToolTraits> = {
  readOnly: true,
  idempotent: true,
  openWorld: false,
  sideEffects: 'none',
  requires: [],
};
