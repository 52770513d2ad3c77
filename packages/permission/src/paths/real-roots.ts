import { confine } from '@haft/sandbox';

/**
 * Creates a function that resolves the real paths of the roots. A root that is moved while the program runs is resolved
 * again.
 */
export function createRootResolver(roots: readonly string[] | undefined): (cwd: string) => Promise<readonly string[]> {
  return async (cwd) => {
    const resolved: string[] = [];
    for (const root of roots ?? [cwd]) {
      const place = await confine('unrestricted', root);
      if (place.ok) resolved.push(place.path);
    }
    return resolved;
  };
}
