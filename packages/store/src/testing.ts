export { describeStore, type StoreLaws, type StoreUnderTest } from './testing/describe-store.ts';
export type { TestApi } from './testing/law.ts';
