/** The entry of a benchmark on the first page. */
export interface Area {
  readonly name: string;
  /** What is measured, in plain English. */
  readonly title: string;
  /** The beginning of the table row that represents the area. */
  readonly headline: string;
  /** The generated data that the benchmark reads. */
  readonly generated?: string;
}

/** All areas of the page, in order. */
export const areas: readonly Area[] = [
  {
    name: 'behaviours',
    title: 'Mistakes of models that leave no doubt, run as meant',
    headline: 'Mistakes that leave no doubt of the meaning',
  },
  { name: 'dispatch', title: 'One tool call: read, validate, run', headline: 'One validated call' },
  {
    name: 'edit',
    title: 'Edits with formatting slips, made exactly',
    headline: 'Edits with formatting slips: correct to the byte',
    generated: 'edits, and half of the files',
  },
  {
    name: 'extract',
    title: 'Tool calls found in text, in 46 formats',
    headline: 'Generated texts in 46 envelopes: exactly the intended calls',
    generated: 'texts, apart from the examples and probes',
  },
  { name: 'files', title: 'The first lines of a file of 1 GB', headline: 'The first 20 lines of a file of 1 GB, time' },
  { name: 'import', title: 'Importing the toolkit in a new process', headline: 'Import of @haft/toolkit' },
  { name: 'jail', title: 'What a jail adds to a command', headline: 'Additional time of a jailed command, best' },
  { name: 'jobs', title: 'Durable calls, one after the other', headline: 'Submit → result, one job after the other' },
  {
    name: 'journal',
    title: 'Recording a call that may change any of 20,000 files',
    headline: 'A call that may write anything',
    generated: 'the project',
  },
  { name: 'loop', title: 'One more call in the loop of an agent', headline: 'One more call in a turn' },
  { name: 'mcp', title: 'Calls over HTTP, 64 at once, on one core', headline: '10,000 calls over HTTP, 64 at once' },
  {
    name: 'plugins',
    title: 'From saving a plugin to its new version',
    headline: 'Save → new version callable in its own process, median',
    generated: 'plugins',
  },
  {
    name: 'process',
    title: 'Memory for a command that prints 200 MB',
    headline: 'A flood of 200 MB in lines: additional memory',
  },
  {
    name: 'registry',
    title: 'A snapshot after one change among 10,000 tools',
    headline: 'The next snapshot after one change',
    generated: 'batches of calls',
  },
  {
    name: 'repair',
    title: 'JSON with one damage: the exact value',
    headline: 'Single damages, no schema: the exact value',
    generated: 'documents and damages',
  },
  {
    name: 'schema',
    title: 'Arguments with one near miss, read as meant',
    headline: 'Arguments with one near miss, as meant',
    generated: 'schemas and arguments',
  },
  {
    name: 'search',
    title: 'A text searched for in 12,000 files',
    headline: 'A text in few files',
    generated: 'the project',
  },
  { name: 'store', title: 'Writes to an embedded database', headline: '10 000 sets in a file, one after the other' },
  {
    name: 'stream',
    title: 'A live value of 100 KB of streamed arguments',
    headline: '100 KB of arguments in 16-character chunks, a live value after each: one long text',
    generated: 'arguments and messages',
  },
  {
    name: 'workbench',
    title: 'What an open page of the workbench adds to a call',
    headline: 'A call while the page Calls is open: added',
  },
];
