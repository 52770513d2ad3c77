/** A database of documents: the measured ones, and those for comparison. */
export interface DocumentDatabase {
  set(key: string, value: SampleDocument): unknown;
  get(key: string): unknown;
  close(): unknown;
}

/** A typical document of an agent: an approval, a todo, an entry of a catalog. */
export interface SampleDocument {
  readonly title: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly body: string;
  readonly number: number;
}

/** About 300 bytes of JSON. */
export function makeDocument(number: number): SampleDocument {
  return {
    title: `Document ${number}`,
    status: number % 3 === 0 ? 'done' : 'open',
    tags: ['measured', `group-${number % 10}`],
    body: 'What somebody wrote down so as not to forget it. '.repeat(4),
    number,
  };
}
