export type { EditCase, EditOutcome } from './edit-case.ts';
export { lineAt } from './line-at.ts';
export { editCategories, isLarge, makeCases } from './make-cases.ts';
