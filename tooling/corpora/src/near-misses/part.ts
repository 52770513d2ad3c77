import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import * as z from 'zod';

/** The type of an argument, from which equivalent JSON and zod schemas are created. */
export type Part =
  | { readonly kind: 'text' | 'number' | 'flag' | 'textOrInteger' | 'textOrFlag' | 'textOrObject' }
  | { readonly kind: 'integer'; readonly least?: number; readonly most?: number }
  | { readonly kind: 'choice'; readonly values: readonly [string, ...string[]] }
  | { readonly kind: 'list'; readonly items: Part }
  | ObjectPart;

export interface ObjectPart {
  readonly kind: 'object';
  readonly members: Readonly<Record<string, MemberPart>>;
  readonly isClosed: boolean;
}

export interface MemberPart {
  readonly part: Part;
  readonly isRequired: boolean;
}

/** The JSON Schema of a part. */
export function toJsonSchema(part: Part): Readonly<Record<string, unknown>> {
  switch (part.kind) {
    case 'text':
      return { type: 'string' };
    case 'number':
      return { type: 'number' };
    case 'flag':
      return { type: 'boolean' };
    case 'textOrInteger':
      return { type: ['string', 'integer'] };
    case 'textOrFlag':
      return { anyOf: [{ type: 'string' }, { type: 'boolean' }] };
    case 'textOrObject':
      return { anyOf: [{ type: 'string' }, { type: 'object' }] };
    case 'integer':
      return {
        type: 'integer',
        ...(part.least === undefined ? {} : { minimum: part.least }),
        ...(part.most === undefined ? {} : { maximum: part.most }),
      };
    case 'choice':
      return { type: 'string', enum: part.values };
    case 'list':
      return { type: 'array', items: toJsonSchema(part.items) };
    default:
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(part.members).map(([name, member]) => [name, toJsonSchema(member.part)]),
        ),
        required: Object.keys(part.members).filter((name) => part.members[name]?.isRequired),
        ...(part.isClosed ? { additionalProperties: false } : {}),
      };
  }
}

/** Returns the zod schema of a part, with `z.coerce` if requested and available. */
export function toZod(part: Part, isCoercing = false): z.ZodType {
  const from = isCoercing ? z.coerce : z;
  switch (part.kind) {
    case 'text':
      return z.string();
    case 'number':
      return from.number();
    case 'flag':
      return from.boolean();
    case 'textOrInteger':
      return z.union([z.string(), z.int()]);
    case 'textOrFlag':
      return z.union([z.string(), z.boolean()]);
    case 'textOrObject':
      return z.union([z.string(), z.looseObject({})]);
    case 'integer': {
      let schema = isCoercing ? z.coerce.number().int() : z.int();
      if (part.least !== undefined) schema = schema.min(part.least);
      if (part.most !== undefined) schema = schema.max(part.most);
      return schema;
    }
    case 'choice':
      return z.enum(part.values);
    case 'list':
      return z.array(toZod(part.items, isCoercing));
    default: {
      const members = Object.entries(part.members).map(([name, member]) => {
        const schema = toZod(member.part, isCoercing);
        return [name, member.isRequired ? schema : schema.optional()] as const;
      });
      const shape = Object.fromEntries(members);
      return part.isClosed ? z.strictObject(shape) : z.object(shape);
    }
  }
}

/** Returns the TypeBox schema of a part. TypeBox's `Convert` ignores plain JSON Schemas. */
export function toTypebox(part: Part): TSchema {
  switch (part.kind) {
    case 'text':
      return Type.String();
    case 'number':
      return Type.Number();
    case 'flag':
      return Type.Boolean();
    case 'textOrInteger':
      return Type.Union([Type.String(), Type.Integer()]);
    case 'textOrFlag':
      return Type.Union([Type.String(), Type.Boolean()]);
    case 'textOrObject':
      return Type.Union([Type.String(), Type.Object({})]);
    case 'integer':
      return Type.Integer({
        ...(part.least === undefined ? {} : { minimum: part.least }),
        ...(part.most === undefined ? {} : { maximum: part.most }),
      });
    case 'choice':
      return Type.Union(part.values.map((value) => Type.Literal(value)));
    case 'list':
      return Type.Array(toTypebox(part.items));
    default: {
      const members = Object.entries(part.members).map(([name, member]) => {
        const schema = toTypebox(member.part);
        return [name, member.isRequired ? schema : Type.Optional(schema)] as const;
      });
      return Type.Object(Object.fromEntries(members), part.isClosed ? { additionalProperties: false } : {});
    }
  }
}
