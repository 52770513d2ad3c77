/**
 * Laws that every store driver must hold. Works with any test runner.
 *
 * @packageDocumentation
 */
export { describeStore, type StoreTestOptions, type StoreUnderTest } from './testing/describe-store.ts';
export type { TestApi } from './testing/law.ts';
