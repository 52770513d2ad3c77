import { confine } from '@haft/sandbox';

/** Where the roots really lie; a root that is moved while the program runs is found again. */
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
