import type { RequestMeta } from './message.ts';

interface Field {
  title?: string | undefined;
  description?: string | undefined;
}

interface TextField extends Field {
  type: 'string';
  minLength?: number | undefined;
  maxLength?: number | undefined;
  format?: 'date' | 'date-time' | 'email' | 'uri' | undefined;
  default?: string | undefined;
}

interface ChoiceField extends Field {
  type: 'string';
  enum: string[];
  /** Display names of the values. An older form of `oneOf`. */
  enumNames?: string[] | undefined;
  default?: string | undefined;
}

interface TitledChoiceField extends Field {
  type: 'string';
  oneOf: { const: string; title: string }[];
  default?: string | undefined;
}

interface ChoicesField extends Field {
  type: 'array';
  items: { type: 'string'; enum: string[] } | { anyOf: { const: string; title: string }[] };
  minItems?: number | undefined;
  maxItems?: number | undefined;
  default?: string[] | undefined;
}

interface NumberField extends Field {
  type: 'integer' | 'number';
  minimum?: number | undefined;
  maximum?: number | undefined;
  default?: number | undefined;
}

interface BooleanField extends Field {
  type: 'boolean';
  default?: boolean | undefined;
}

/** A field of a form. */
export type FormField = TextField | ChoiceField | TitledChoiceField | ChoicesField | NumberField | BooleanField;

interface Elicitation {
  message: string;
  task?: { ttl?: number | undefined } | undefined;
  _meta?: RequestMeta | undefined;
}

/** A server asks the user to fill in a form. */
export interface FormRequest extends Elicitation {
  mode?: 'form' | undefined;
  requestedSchema: {
    [key: string]: unknown;
    type: 'object';
    properties: Record<string, FormField>;
    required?: string[] | undefined;
  };
}

/** A server asks the user to open a page. */
export interface UrlRequest extends Elicitation {
  mode: 'url';
  elicitationId: string;
  url: string;
}

/** Parameters of `elicitation/create`: a server asks the user. */
export type ElicitationRequest = FormRequest | UrlRequest;

/** The user's answer to an {@link ElicitationRequest}. */
export interface ElicitationResult {
  [key: string]: unknown;
  action: 'accept' | 'cancel' | 'decline';
  content?: Record<string, string | number | boolean | string[]> | undefined;
  _meta?: Record<string, unknown> | undefined;
}
