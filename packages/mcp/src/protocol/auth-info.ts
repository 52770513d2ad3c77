/** A caller's access token after it was checked. */
export interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  /** Seconds since 1970 at which the token expires. */
  expiresAt?: number;
  /** The server that the token was issued for (RFC 8707). */
  resource?: URL;
  /** URL of the metadata of this server (RFC 9728). */
  resourceMetadataUrl?: string;
  extra?: Record<string, unknown>;
}
