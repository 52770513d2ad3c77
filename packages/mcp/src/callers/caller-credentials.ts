import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { SessionCaller } from '@haft/core/workspace';
import { checkOptions, objectWith, required, type OptionTable } from '@haft/core/options';
import type { Store } from '@haft/store';
import { z } from 'zod';
import { keyKind } from '../key-kind.ts';
import { invalidOption, McpError } from '../mcp-error.ts';

/** Credentials of one caller for one service, such as a token. */
export type CallerCredentials = Readonly<Record<string, string>>;

/** Options of {@link createCallerCredentials}. */
export interface CallerCredentialsOptions {
  /** Where credentials are stored, also for other processes. */
  readonly store: Store;
  /** Encryption key of at least 32 bytes, kept outside of the store. Encrypts credentials and their owners. */
  readonly key: string | Uint8Array;
}

/** Stores the credentials that each user of a server has for other services. */
export interface CallerCredentialsStore {
  /** Returns the caller's own credentials for a service. Undefined if they are missing, and for a caller without a login. */
  getCredentials(caller: SessionCaller | undefined, service: string): Promise<CallerCredentials | undefined>;
  setCredentials(caller: SessionCaller, service: string, credentials: CallerCredentials): Promise<void>;
  /** Returns false if they are missing. */
  deleteCredentials(caller: SessionCaller, service: string): Promise<boolean>;
}

const table: OptionTable<CallerCredentialsOptions> = {
  store: required(
    objectWith<Store>('a store such as await createStore({ url: "file:haft.db" }) returns', 'collection'),
  ),
  key: required(keyKind),
};

const sealedSchema = z.object({ sealed: z.string() });
const credentialsSchema = z.record(z.string(), z.string());
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Creates a store of credentials per caller and service, so that one server process can act for many users. A tool
 * passes `context.session.caller`, which only `authenticate` sets. Credentials are encrypted and bound to their owner:
 * copying a row to another caller makes it unreadable.
 *
 * @throws McpError `INVALID_OPTION` for a missing store, and for a key of fewer than 32 bytes.
 */
export function createCallerCredentials(options: CallerCredentialsOptions): CallerCredentialsStore {
  checkOptions('createCallerCredentials', options, table, '{ store, key: process.env.CREDENTIALS_KEY }', invalidOption);
  const rows = options.store.collection('mcp/caller-credentials', sealedSchema);
  const secret = createHash('sha256').update(options.key).digest();
  const rowOf = (caller: SessionCaller, service: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([caller.id, service]))
      .digest('hex');

  const seal = (text: string, row: string): string => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, secret, nonce).setAAD(Buffer.from(row));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  };
  const open = (sealed: string, row: string): string => {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(row))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
  };

  return {
    async getCredentials(caller, service) {
      if (!caller) return undefined;
      const row = rowOf(caller, service);
      const found = await rows.get(row);
      if (!found) return undefined;
      try {
        return credentialsSchema.parse(JSON.parse(open(found.value.sealed, row)));
      } catch (cause) {
        throw new McpError(
          'INVALID_OPTION',
          `key: the stored credentials for ${service} were sealed with another key`,
          {
            cause,
          },
        );
      }
    },
    async setCredentials(caller, service, credentials) {
      const row = rowOf(caller, service);
      await rows.set(row, { sealed: seal(JSON.stringify(credentialsSchema.parse(credentials)), row) });
    },
    async deleteCredentials(caller, service) {
      const row = rowOf(caller, service);
      const isKnown = (await rows.get(row)) !== undefined;
      if (isKnown) await rows.delete(row);
      return isKnown;
    },
  };
}
