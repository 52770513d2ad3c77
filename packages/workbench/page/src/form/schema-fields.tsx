import { visible } from '../parts/code-block.tsx';
import type { Field, FieldValues } from './fields-of.ts';

interface SchemaFieldsProps {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  readonly onChange: (name: string, value: string) => void;
}

/** The fields of a form. */
export function SchemaFields({ fields, values, onChange }: SchemaFieldsProps) {
  if (fields.length === 0) return <p className="quiet">This tool takes no arguments.</p>;
  return (
    <>
      {fields.map((field) => (
        <label key={field.name} className="field">
          <span>
            <code>{field.name}</code>
            {field.isRequired ? ' (required)' : ''} {visible(field.description)}
          </span>
          <Input field={field} value={values[field.name] ?? ''} onChange={(value) => onChange(field.name, value)} />
        </label>
      ))}
    </>
  );
}

interface InputProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const placeholders: Readonly<Record<string, string>> = { json: 'JSON', lines: 'one item on each line' };

function Input({ field, value, onChange }: InputProps) {
  if (field.input === 'choice') {
    return (
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{field.isRequired ? 'choose' : 'not given'}</option>
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  if (field.input === 'long' || field.input === 'json' || field.input === 'lines') {
    return (
      <textarea
        value={value}
        rows={field.input === 'long' ? 4 : 2}
        spellCheck={false}
        placeholder={placeholders[field.input] ?? ''}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <input
      value={value}
      inputMode={field.input === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
