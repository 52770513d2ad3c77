export { createStore } from './open/create-store.ts';
export type { StoreOptions } from './open/store-options.ts';
export type { Migration } from './documents/document-codec.ts';
export type {
  DocumentSchema,
  StandardIssue,
  StandardResult,
  StandardSchema,
  ValidateFunction,
} from './documents/document-schema.ts';
export { storeWarningCodes, type WarningListener, type StoreWarning, type StoreWarningCode } from './warning.ts';
export type {
  BatchConflict,
  BatchResult,
  BatchWrite,
  Change,
  ChangeListener,
  Collection,
  CollectionOptions,
  Conflict,
  DeleteResult,
  InputOf,
  OutputOf,
  Page,
  ListOptions,
  SetResult,
  Store,
  StoreDocument,
  UnreadableDocument,
  Watch,
  WriteOptions,
} from './documents/store.ts';
export {
  isRefused,
  type Awaitable,
  type CurrentVersion,
  type DriverChange,
  type KeyRange,
  type RefusedChange,
  type StoredText,
  type StoreDriver,
  type WriteOutcome,
  type WrittenKey,
  type WrittenKeys,
} from './store-driver.ts';
export { StoreError, storeErrorCodes, type DocumentIssue, type StoreErrorCode } from './store-error.ts';
