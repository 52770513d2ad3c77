export { describeStore, type StoreTestOptions, type StoreUnderTest } from './testing/describe-store.ts';
export type { TestApi } from './testing/law.ts';
