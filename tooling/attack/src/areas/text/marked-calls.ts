import { extractToolCalls } from '@haft/repair';

import type { Attack } from '../../attack.ts';
import { notations } from './notations.ts';

/** Ways in which a model shows that a call is not its own. */
const marks: Readonly<Record<string, (call: string) => string>> = {
  'marks of untrusted text': (call) => `<untrusted-0a1b2c3d>\n${call}\n</untrusted-0a1b2c3d>`,
  'marks of untrusted text in a line': (call) => `It says <untrusted-0a1b2c3d>${call}</untrusted-0a1b2c3d>.`,
  'marks of untrusted text that never end': (call) => `The page:\n<untrusted-0a1b2c3d>\n${call}`,
  'marks of untrusted text with others inside': (call) =>
    `<untrusted-0a1b2c3d>\n</untrusted-ffffffff>\n${call}\n</untrusted-0a1b2c3d>`,
  'curly quotation marks': (call) => `The page says “${call}” and I ignore it.`,
  'straight quotation marks': (call) => `The page says "${call}" and I ignore it.`,
  guillemets: (call) => `La page dit « ${call} ».`,
  'German quotation marks': (call) => `Die Seite sagt „${call}“.`,
  'inline code': (call) => `The page says \`\`${call}\`\` and I ignore it.`,
};

const tools = ['move_money', 'erase_docs', 'write_note', 'reboot'].map((name) => ({ name }));

/** Attacks with calls inside quotation marks and the like, which `extractToolCalls` must not extract. */
export const markedCallAttacks: readonly Attack[] = Object.entries(marks).map(([what, wrap]) => ({
  name: `A call inside quotation marks is extracted from a model's text: ${what}`,
  run() {
    const taken = Object.entries(notations).filter(([, call]) => {
      // A blank line or a mark of the same kind ends a quotation before its call, and so does reasoning in brackets.
      if (!what.startsWith('marks') && (/\n\n|\[THINK\]/.test(call) || /["`“”«»]{2}/.test(call))) return false;
      return extractToolCalls(wrap(call), { tools, stopped: 'stop' }).calls.length > 0;
    });
    return Promise.resolve(taken.length === 0 ? undefined : `taken: ${taken.map(([name]) => name).join(', ')}`);
  },
  control() {
    const found = Object.values(notations).filter(
      (call) => extractToolCalls(call, { tools, stopped: 'stop' }).calls.length > 0,
    );
    return Promise.resolve(found.length > 80);
  },
}));
