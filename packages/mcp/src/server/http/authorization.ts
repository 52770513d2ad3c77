import type { AnyTool } from '@haft/core';
import type { AuthInfo } from '../../protocol/auth-info.ts';
import type { AuthorizationOptions } from '../options/authorization-options.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/** Returns whether a path is that of protected-resource metadata. */
export function isMetadataPath(path: string): boolean {
  return path === wellKnown || path.startsWith(`${wellKnown}/`);
}

/** Tells clients how to get tokens (RFC 9728), and which scopes they lack. */
export interface AuthorizationAnswers {
  /** Answers a request for the metadata. Undefined for any other request. */
  answerMetadata(request: Request): Response | undefined;
  /** Adds the location of the metadata to a refusal that does not say how to log in. */
  challenge(request: Request, refusal: Response): Response;
  /** Refuses calls of tools that need more scopes than the caller has (step-up). */
  refuseScopes(
    request: Request,
    body: unknown,
    caller: AuthInfo | undefined,
    find: (name: string) => AnyTool | undefined,
  ): Response | undefined;
}

/** Creates the answers about authorization. */
export function createAuthorizationAnswers(options: AuthorizationOptions): AuthorizationAnswers {
  const { servers, scopes, toolScopes } = options;
  const resourceOf = (request: Request): URL => {
    if (options.resource !== undefined) return new URL(options.resource);
    const url = new URL(request.url);
    const path = isMetadataPath(url.pathname) ? url.pathname.slice(wellKnown.length) : url.pathname;
    return new URL(path === '' ? '/' : path, url.origin);
  };
  const metadataUrlOf = (request: Request): string => {
    const { origin, pathname } = resourceOf(request);
    return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`;
  };
  const authenticateHeader = (request: Request, more: Readonly<Record<string, string>>): string => {
    const members = { ...more, resource_metadata: metadataUrlOf(request) };
    return `Bearer ${Object.entries(members)
      .map(([name, value]) => `${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, '')}"`)
      .join(', ')}`;
  };
  return {
    answerMetadata(request) {
      if (!isMetadataPath(new URL(request.url).pathname)) return undefined;
      if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } });
      const resource = resourceOf(request).href;
      const metadata = {
        resource: options.resource === undefined ? resource.replace(/\/$/, '') : options.resource,
        authorization_servers: servers,
        bearer_methods_supported: ['header'],
        ...(scopes ? { scopes_supported: scopes } : {}),
      };
      return Response.json(metadata, { headers: { 'cache-control': 'max-age=3600' } });
    },
    challenge(request, refusal) {
      if (refusal.status !== 401 && refusal.status !== 403) return refusal;
      const given = refusal.headers.get('www-authenticate');
      const isOurs = given === null ? refusal.status === 401 : /^bearer\b/i.test(given);
      if (!isOurs || given?.includes('resource_metadata=')) return refusal;
      const headers = new Headers(refusal.headers);
      const isBare = given === null || /^bearer\s*$/i.test(given);
      if (!isBare || refusal.status !== 401) {
        const separator = isBare ? ' ' : ', ';
        headers.set('www-authenticate', `${given!.trim()}${separator}resource_metadata="${metadataUrlOf(request)}"`);
        return new Response(refusal.body, { status: refusal.status, headers });
      }
      const named: Readonly<Record<string, string>> = scopes && scopes.length > 0 ? { scope: scopes.join(' ') } : {};
      headers.set('www-authenticate', authenticateHeader(request, named));
      return new Response(refusal.body, { status: 401, headers });
    },
    refuseScopes(request, body, caller, find) {
      if (!toolScopes) return undefined;
      const granted = new Set(caller?.scopes);
      for (const message of Array.isArray(body) ? (body as readonly unknown[]) : [body]) {
        const { id = null, method, params } = (message ?? {}) as Readonly<Record<string, unknown>>;
        const { name } = (params ?? {}) as { readonly name?: unknown };
        const tool = method === 'tools/call' && typeof name === 'string' ? find(name) : undefined;
        const needed = tool ? toolScopes(tool) : [];
        if (needed.every((scope) => granted.has(scope))) continue;
        const text = `the call of ${tool!.name} needs the scope ${needed.join(' ')}`;
        // Also names the scopes that the caller has, because clients that replace their token would lose them.
        const all = [...new Set([...granted, ...needed])].join(' ');
        const header = authenticateHeader(request, {
          error: 'insufficient_scope',
          scope: all,
          error_description: text,
        });
        return Response.json(
          { jsonrpc: '2.0', id, error: { code: -32_000, message: text } },
          { status: 403, headers: { 'www-authenticate': header } },
        );
      }
      return undefined;
    },
  };
}
