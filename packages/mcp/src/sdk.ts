/**
 * Bridges to the official MCP SDK: use its client, or add tools to its server.
 *
 * @packageDocumentation
 */
export { fromSdkClient, type SdkClient } from './sdk/from-sdk-client.ts';
export { mountOnSdkServer, type MountedTools, type MountOptions, type SdkServer } from './sdk/mount-on-sdk-server.ts';
