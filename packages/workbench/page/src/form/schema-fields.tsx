import { visible } from '../data/visible.ts';
import { draftOf, type Draft } from './draft.ts';
import type { FormField, FormGroup, FormInput, FormList, FormNode, FormUnion } from './form-node.ts';

interface NodeProps<Node> {
  readonly node: Node;
  readonly draft: Draft;
  /** Accessible name of the input. */
  readonly label: string;
  readonly isRequired: boolean;
  readonly onChange: (draft: Draft) => void;
}

/** The fields of an object. */
export function GroupFields({ node, draft, label, onChange }: NodeProps<FormGroup>) {
  const entries = typeof draft === 'object' && 'entries' in draft ? draft.entries : new Map<string, Draft>();
  if (node.fields.length === 0) return <p className="quiet">This tool takes no arguments.</p>;
  return (
    <>
      {node.fields.map((field) => (
        <Field
          key={field.key}
          field={field}
          path={label === '' ? field.key : `${label}.${field.key}`}
          draft={entries.get(field.key) ?? ''}
          onChange={(next) => onChange({ entries: new Map([...entries, [field.key, next]]) })}
        />
      ))}
    </>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly path: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function Field({ field, path, draft, onChange }: FieldProps) {
  const { key, description, limits, isRequired, node } = field;
  const title = (
    <span>
      <code>{key}</code>
      {isRequired && <span className="required"> required</span>} {visible(description)}
      {limits !== '' && <span className="limits"> {visible(limits)}</span>}
    </span>
  );
  const entry = <Node node={node} draft={draft} label={path} isRequired={isRequired} onChange={onChange} />;
  if (node.kind === 'input') {
    return (
      <label className="field">
        {title}
        {entry}
      </label>
    );
  }
  return (
    <fieldset className="group">
      <legend className="field">{title}</legend>
      {entry}
    </fieldset>
  );
}

function Node({ node, ...rest }: NodeProps<FormNode>) {
  if (node.kind === 'group') return <GroupFields node={node} {...rest} />;
  if (node.kind === 'list') return <ListFields node={node} {...rest} />;
  return node.kind === 'union' ? <UnionFields node={node} {...rest} /> : <Input node={node} {...rest} />;
}

function ListFields({ node, draft, label, onChange }: NodeProps<FormList>) {
  const items = typeof draft === 'object' && 'items' in draft ? draft.items : [];
  return (
    <>
      {items.map((item, index) => (
        <div key={index} className="item">
          <div className="item-fields">
            <Node
              node={node.item}
              draft={item}
              label={`${label}[${index}]`}
              isRequired
              onChange={(next) => onChange({ items: items.with(index, next) })}
            />
          </div>
          <button
            type="button"
            className="small"
            aria-label={`Remove item ${index + 1} of ${label}`}
            onClick={() => onChange({ items: items.toSpliced(index, 1) })}
          >
            Remove
          </button>
        </div>
      ))}
      <p>
        <button
          type="button"
          className="small"
          aria-label={`Add an item to ${label}`}
          onClick={() => onChange({ items: [...items, draftOf(node.item, undefined)] })}
        >
          Add an item
        </button>
      </p>
    </>
  );
}

function UnionFields({ node, draft, label, isRequired, onChange }: NodeProps<FormUnion>) {
  const { chosen, draft: inner } =
    typeof draft === 'object' && 'chosen' in draft ? draft : { chosen: -1, draft: '' as Draft };
  const option = node.options[chosen];
  return (
    <>
      <select
        aria-label={`Shape of ${label}`}
        value={chosen}
        onChange={(event) => {
          const next = Number(event.target.value);
          const shape = node.options[next];
          onChange({ chosen: next, draft: shape === undefined ? '' : draftOf(shape.node, undefined) });
        }}
      >
        <option value={-1}>{isRequired ? 'choose a shape' : 'not given'}</option>
        {node.options.map((one, index) => (
          <option key={one.label} value={index}>
            {one.label}
          </option>
        ))}
      </select>
      {option !== undefined && (
        <Node
          node={option.node}
          draft={inner}
          label={label}
          isRequired
          onChange={(next) => onChange({ chosen, draft: next })}
        />
      )}
    </>
  );
}

const placeholders: Readonly<Record<string, string>> = { json: 'JSON', lines: 'one item on each line' };

function Input({ node, draft, label, isRequired, onChange }: NodeProps<FormInput>) {
  const value = typeof draft === 'string' ? draft : '';
  if (node.input === 'choice') {
    return (
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{isRequired ? 'choose' : 'not given'}</option>
        {node.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  if (node.input === 'long' || node.input === 'json' || node.input === 'lines') {
    return (
      <textarea
        aria-label={label}
        value={value}
        rows={node.input === 'long' ? 4 : 2}
        spellCheck={false}
        placeholder={placeholders[node.input] ?? ''}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <input
      aria-label={label}
      value={value}
      inputMode={node.input === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
