/** Fixtures of the store's tests: a temporary PostgreSQL server, and writers that are killed. */
interface StoreFixtures {
  readonly postgresDirectory: string | undefined;
  readonly createPostgresCluster: () => Promise<PostgresCluster>;
  readonly crashWriters: CrashWriters;
}

export interface PostgresCluster {
  url(database?: string): string;
  execute(statement: string): Promise<void>;
  remove(): Promise<void>;
}

/** Kills writers, and compares what the store holds with the writes that it acknowledged. */
export type CrashWriters = (options: {
  readonly url: string;
  readonly writes: number;
  readonly kills: number;
  readonly seed: number;
}) => Promise<{ readonly kills: number; readonly wrongStates: number; readonly tornReads: number }>;

/** Loads the fixtures by path, because they are not published. */
export async function loadStoreFixtures(): Promise<StoreFixtures> {
  const folder = new URL('../../../../packages/store/src/fixtures/', import.meta.url);
  const { href: cluster } = new URL('postgres-cluster.ts', folder);
  const { href: crash } = new URL('crash-writers.ts', folder);
  return { ...((await import(cluster)) as StoreFixtures), ...((await import(crash)) as StoreFixtures) };
}
