/**
 * Calls a tool of the plugin, or follows the plugin while you change it.
 *
 * Usage: node src/try.ts [TOOL ARGUMENTS], such as: node src/try.ts roll_dice '{count: 3}'
 *        node src/try.ts --watch
 */
import { renderForModel } from '@haft/core';
import { load } from './load.ts';

const [name = 'roll_dice', given = '{}'] = process.argv.slice(2);
const { source, loader } = await load();
const call = async (tool: string, text: string): Promise<boolean> => {
  const result = await source.dispatch({ id: 'call_1', name: tool, arguments: text });
  console.log(renderForModel(result));
  // The error that the tool threw: for you, never for the model.
  if (!result.ok && result.error.cause !== undefined) console.error(result.error.cause);
  return result.ok;
};
await call('list_plugins', '{}');
if (name === '--watch') {
  console.log('\nSave a file in plugins/ (Ctrl-C ends this).');
  loader.onEvent(() => void call('list_plugins', '{}'));
} else {
  process.exitCode = (await call(name, given)) ? 0 : 1;
  await loader.stop();
}
