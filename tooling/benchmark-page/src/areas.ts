/** What the first page says of a benchmark. */
export interface Area {
  readonly name: string;
  /** What is measured, in plain English. */
  readonly title: string;
  /** How the row begins that stands for the area in the table. */
  readonly headline: string;
  /** What is read or worked on that this repository generates. */
  readonly generated?: string;
}

/** Every area of the page, in its order. */
export const areas: readonly Area[] = [
  {
    name: 'behaviours',
    title: 'Seven mistakes of models and tools',
    headline: 'Mistakes that leave no doubt of the meaning',
  },
  { name: 'dispatch', title: 'One tool call: read, validate, run', headline: 'One validated call' },
  {
    name: 'edit',
    title: 'Edits with slips of formatting, made exactly',
    headline: 'Edits with slips of formatting: made to the byte',
    generated: 'edits, and half of the files',
  },
  {
    name: 'extract',
    title: 'Tool calls found in text, in 46 formats',
    headline: 'Generated texts in 46 envelopes: exactly the calls meant',
    generated: 'texts, apart from the examples and probes',
  },
  { name: 'files', title: 'The first lines of a file of 1 GB', headline: 'The first 20 lines of a file of 1 GB, time' },
  { name: 'jail', title: 'What a jail adds to a command', headline: 'More than a plain command, at best' },
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
    headline: 'Save → new version callable, process of its own, median',
    generated: 'plugins',
  },
  {
    name: 'process',
    title: 'Memory for a command that prints 200 MB',
    headline: 'A flood of 200 MB in lines: memory more',
  },
  {
    name: 'registry',
    title: 'Importing the package in a fresh process',
    headline: 'Import in a fresh process',
    generated: 'batches of calls',
  },
  {
    name: 'repair',
    title: 'JSON with one damage, read exactly as it was meant',
    headline: 'Single damages, no schema: the exact value',
    generated: 'documents and damages',
  },
  {
    name: 'schema',
    title: 'Arguments with one near miss, read as they were meant',
    headline: 'Arguments with one near miss, as meant',
    generated: 'schemas and arguments',
  },
  {
    name: 'search',
    title: 'A text searched for in 12,000 files',
    headline: 'A text that few files hold',
    generated: 'the project',
  },
  { name: 'store', title: 'Writes to an embedded database', headline: '10 000 sets in a file, one after the other' },
  {
    name: 'stream',
    title: 'A live value of 100 KB of streamed arguments',
    headline: '100 KB of arguments in 16-character pieces, a live value after each: one long text',
    generated: 'arguments and messages',
  },
];
