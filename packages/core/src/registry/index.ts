/**
 * Details of the registry: filters of snapshots, names for model vendors, stored descriptions.
 *
 * @packageDocumentation
 */
export type { DescriptionStore } from '../contracts/tools/description-store.ts';
export type { RestoreProblem } from '../contracts/calls/provider.ts';
export type { RegistryDraft } from './tool-claims.ts';
export { type DescriptionPersistence } from './memory-description-store.ts';
export { createNameCodec, encodeName, isWireName, type NameCodec } from '../names/name-codec.ts';
export { isUnderProvider, lifecycleProvider, localProvider } from '../names/provider-path.ts';
export { filterSnapshot } from './snapshot.ts';
export { createSnapshotFilter } from './snapshot-filter.ts';
export { findUnknownPatterns, type ModelIdentity } from './supports-model.ts';
export { toolInfo, type RegistryChange, type Shadow, type ToolAvailability } from './tool-registry.ts';
