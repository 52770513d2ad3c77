import type { Form } from '../calls/form.ts';
import { jsonForms } from './json-forms.ts';
import { literalForms } from './literal-forms.ts';
import { mangledForms } from './mangled-forms.ts';
import { taggedForms } from './tagged-forms.ts';

/** All forms of the 46 envelopes. To add one, add a line to its group. */
export const envelopeForms: readonly Form[] = [...jsonForms, ...taggedForms, ...literalForms];

/** These forms, and observed texts in which models fail to write one of them. */
export const forms: readonly Form[] = [...envelopeForms, ...mangledForms];
