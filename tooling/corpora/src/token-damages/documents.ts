/** Arguments of tools as models write them: nested objects, lists of objects, tables, commands, files and text with quotes. */
export const documents: readonly object[] = [
  { path: 'src/app.ts', content: 'const a = 1;\nconsole.log("hi");\n', mode: 'write', overwrite: true },
  {
    title: 'Trip to Rome',
    days: 4,
    stops: ['Rome', 'Pisa', 'Siena'],
    budget: { amount: 1250.5, currency: 'EUR' },
    urgent: false,
  },
  {
    query: 'SELECT id, name FROM users WHERE age > 30',
    limit: 50,
    params: [1, 2, 3],
    options: { timeout: 30, retries: { max: 3, wait: '2s' } },
  },
  {
    users: [
      { name: 'Ana', age: 31, tags: ['admin', 'dev'] },
      { name: 'Bo', age: 29, tags: [] },
      { name: 'Cy', age: 44, tags: ['ops'] },
    ],
    total: 3,
  },
  {
    to: ['a@x.org', 'b@x.org'],
    subject: 'Minutes of the meeting',
    body: 'Hello all,\n\nsee you on Monday: bring {notes}.',
    cc: null,
  },
  { command: 'grep -rn "TODO" src | wc -l', cwd: '/home/user', env: { LANG: 'C', DEBUG: '1' } },
  {
    matrix: [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
    name: 'm',
    flags: { a: true, b: false, c: null },
  },
  {
    flightNo: 'LH 1234',
    passengers: [
      { first: 'Ana', last: 'Ruiz', seat: '12A' },
      { first: 'Bo', last: 'Lind', seat: '12B' },
    ],
    price: { total: 412.8, currency: 'EUR' },
    refundable: false,
  },
  {
    repo: 'acme/site',
    branch: 'fix/login',
    files: [
      { path: 'a.ts', patch: '- const x = 1;\n+ const x = 2;' },
      { path: 'b/c.ts', patch: '+ export {};' },
    ],
    draft: true,
    reviewers: [],
  },
  {
    filter: {
      and: [
        { field: 'age', op: '>=', value: 18 },
        {
          or: [
            { field: 'city', op: '=', value: 'Graz' },
            { field: 'vip', op: '=', value: true },
          ],
        },
      ],
    },
    page: 1,
  },
  {
    question: '¿Qué hora es?',
    answers: { a: 'Las tres.', b: 'Son las 3:00, creo.' },
    score: 0.75,
    tags: ['es', 'time'],
  },
];
