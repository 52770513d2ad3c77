import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** Accepts any result from the SDK, so that an invalid part can be handled without losing the rest. */
export const anyResult: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'haft', validate: (value: unknown) => ({ value }) },
};
