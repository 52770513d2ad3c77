export { describeStore, type StoreLaws, type StoreUnderTest, type TestApi } from './testing/describe-store.ts';
