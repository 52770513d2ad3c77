export { fromSdkClient, type SdkClient } from './sdk/from-sdk-client.ts';
export { mountOnSdkServer, type MountedTools, type MountOptions, type SdkServer } from './sdk/mount-on-sdk-server.ts';
