export type { SearchTree } from './make-tree.ts';
export { makeSearchTree } from './make-tree.ts';
