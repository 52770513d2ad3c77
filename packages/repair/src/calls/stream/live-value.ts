import { isJsonObject, type JsonValue } from '../../json/result/json-value.ts';
import { createMachine } from '../../json/machine/machine.ts';
import { formState, toMachineLimits } from '../../json/document/read-value.ts';
import type { Limits } from '../../json/result/repair-options.ts';
import { createLive } from '../../json/stream/json-stream.ts';

/** Arguments while they are being written. */
export interface LiveValue {
  /** Takes more of them, the opening bracket first; answers what there is of them, the same object each time. */
  readonly push: (piece: string) => JsonValue | undefined;
}

/** Makes a reader of an object, or of what stands in the parentheses of a call. */
export function createLiveValue(form: 'value' | 'arguments', limits: Limits | undefined): LiveValue {
  const machine = createMachine({
    text: '',
    at: form === 'value' ? 0 : 1,
    ended: false,
    state: formState(form),
    stopped: false,
    limits: { ...toMachineLimits(limits), repairs: 0, duplicateKeys: 'last', unsafeIntegers: 'round' },
  });
  const live = createLive(machine, undefined);
  let isOver = false;
  return {
    push: (piece) => {
      if (!isOver) live.push(piece);
      isOver ||= machine.rootEnd !== -1 || machine.failure !== undefined;
      const { root, frames } = machine;
      if (form === 'value') return root;
      // An object that is the only argument stands for all of them.
      const [only] = frames[0]?.kind === 'call' ? frames[0].items : machine.positional;
      const hasNames = isJsonObject(root) && Object.keys(root).length > 0;
      return !hasNames && isJsonObject(only) ? only : root;
    },
  };
}
