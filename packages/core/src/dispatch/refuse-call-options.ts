import { HaftError } from '../haft-error.ts';
import { isRecord } from '../options/is-record.ts';
import { contextMembers } from './call/context-members.ts';

/** Options of a call that tools have, too. */
const ofTool: readonly string[] = ['timeoutMs'];
const ofBatch: readonly string[] = ['mode', 'maxParallel', 'onDenied', 'onResult'];

/**
 * Rejects an option of a call among the options of a dispatcher, and says where it belongs. The nearest option of a
 * dispatcher would set another limit.
 *
 * @throws HaftError `INVALID_OPTION`.
 */
export function refuseCallOptions(owner: 'createDispatcher' | 'dispatch', options: unknown): void {
  if (!isRecord(options)) return;
  const isMisplaced = (name: string): boolean => contextMembers.has(asMember(name)) && options[name] !== undefined;
  const found = Object.keys(options).find(isMisplaced);
  if (found === undefined) return;
  const name = asMember(found);
  const tool = ofTool.includes(name) ? `defineTool({ ${name} }) or ` : '';
  const place =
    owner === 'dispatch'
      ? `context: { ${name} }`
      : ofBatch.includes(name)
        ? `dispatchBatch(calls, { ${name} })`
        : `dispatch(call, { ${name} }) or dispatchBatch(calls, { ${name} })`;
  throw new HaftError('INVALID_OPTION', `${owner}: ${found} is not an option (pass it as ${tool}${place})`);
}

/** Other libraries call the time limit `timeout`. */
function asMember(name: string): string {
  return name === 'timeout' ? 'timeoutMs' : name;
}
