export type { Case } from './make-cases.ts';
export { makeCases } from './make-cases.ts';
export type { ObjectPart } from './part.ts';
export { toJsonSchema, toTypebox, toZod } from './part.ts';
export { withoutStrays } from './spoil.ts';
export { traps } from './traps.ts';
export { slips } from './write-with-slip.ts';
