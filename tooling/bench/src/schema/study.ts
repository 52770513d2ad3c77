/**
 * Shows what is not read as meant: `node --conditions=@haft/source study.ts [reader] [row] [count]`. Only the
 * development row can be looked at here; the held-out ones stay unseen.
 */
import { judgeReaders } from './near-misses/judge-readers.ts';
import { makeCases } from '@haft-tooling/corpora/near-misses';
import { toRows } from './near-misses/near-miss-rows.ts';

const [reader = 'Haft', count = '60'] = process.argv.slice(2);
const cases = makeCases('development', Number(count));
const judgements = await judgeReaders(cases);
const judgement = judgements.find(({ name }) => name === reader);
for (const [index, { group, kind, tool, text, meant }] of cases.entries()) {
  const verdict = judgement?.verdicts[index];
  if (verdict === 'as meant' || (group === 'trap' && verdict === 'refused')) continue;
  console.log(`${verdict}: ${group}, ${kind}\n  ${JSON.stringify(tool)}\n  ${text}\n  ${JSON.stringify(meant)}`);
}
for (const { what, haft, peers } of toRows(cases, judgements)) console.log(what, haft, peers);
