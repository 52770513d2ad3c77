// Ends the process trees of a program that has ended. Each argument is `leader:marker:isJailed:lifeline`. The leaders' groups are
// stopped, so that their descendants can be found before they lose their parents.
import { endProcesses } from './end-processes.ts';
import { createProcessTree } from './process-tree.ts';

const graceMs = 2_000;

const trees = process.argv.slice(2).map((argument) => {
  const [leader = '', marker = '', isJailed, lifeline = ''] = argument.split(':');
  return createProcessTree(Number(leader), marker, {
    isJailed: isJailed === '1',
    ...(lifeline === '' ? {} : { lifeline: `socket:[${lifeline}]` }),
  });
});
for (const tree of trees) tree.findMembers();
for (const { leader } of trees) {
  try {
    process.kill(-leader, 'SIGCONT');
  } catch {
    // The group has ended.
  }
}
await Promise.all(trees.map((tree) => endProcesses(tree, graceMs)));
