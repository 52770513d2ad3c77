export type { Case } from './make-cases.ts';
export { makeCases } from './make-cases.ts';
export type { ObjectPart } from './part.ts';
export { toJsonSchema, toTypebox, toZod } from './part.ts';
export { withoutStrays } from './spoil.ts';
