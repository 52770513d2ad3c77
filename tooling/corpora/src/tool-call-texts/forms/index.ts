import type { Form } from '../calls/form.ts';
import { jsonForms } from './json-forms.ts';
import { literalForms } from './literal-forms.ts';
import { mangledForms } from './mangled-forms.ts';
import { taggedForms } from './tagged-forms.ts';

/** Every way in which the 46 envelopes are written here. Adding one is a line in its group. */
export const envelopeForms: readonly Form[] = [...jsonForms, ...taggedForms, ...literalForms];

/** These and the ways in which models get none of them right. */
export const forms: readonly Form[] = [...envelopeForms, ...mangledForms];
