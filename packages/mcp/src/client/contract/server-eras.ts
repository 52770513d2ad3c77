/** Remembers servers that support only the legacy era, so that the next connection skips the probe. */
export interface ServerEras {
  isLegacy(server: string): boolean | Promise<boolean>;
  setLegacy(server: string, isLegacy: boolean): void | Promise<void>;
}

const maxServers = 1_000;

function createServerEras(): ServerEras {
  const legacy = new Set<string>();
  return {
    isLegacy: (server) => legacy.has(server),
    setLegacy(server, isLegacy) {
      legacy.delete(server);
      if (isLegacy) legacy.add(server);
      if (legacy.size > maxServers) legacy.delete(legacy.keys().next().value ?? '');
    },
  };
}

/** The servers of this process. */
export const knownEras: ServerEras = createServerEras();
