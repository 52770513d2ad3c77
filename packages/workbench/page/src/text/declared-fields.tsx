import { sampleTools } from './model/samples.ts';
import type { TextState } from './model/text-state.ts';

interface DeclaredFieldsProps {
  readonly state: TextState;
  readonly programTools: number;
  readonly toolsProblem: string;
  readonly schemaProblem: string;
  readonly onChange: (change: Partial<TextState>) => void;
}

/** Names the tools that the text may call. */
export function nameOfTools({ tools }: TextState, programTools: number): string {
  if (tools === '') return `the ${programTools} tools of this program`;
  return tools === sampleTools ? 'the tools of the samples' : 'my own list of tools';
}

/** The tools that the text may call, and the schema of the value. */
export function DeclaredFields(props: DeclaredFieldsProps) {
  const { state, programTools, toolsProblem, schemaProblem, onChange } = props;
  const choice = state.tools === '' ? 'program' : state.tools === sampleTools ? 'samples' : 'own';
  const of: Readonly<Record<string, string>> = { program: '', samples: sampleTools, own: `${sampleTools}\n` };
  return (
    <div className="declared">
      <div className="column">
        <label className="field">
          <span>Tools that may be called</span>
          <select value={choice} onChange={(event) => onChange({ tools: of[event.target.value] ?? '' })}>
            <option value="program">the {programTools} tools of this program</option>
            <option value="samples">the tools of the samples</option>
            <option value="own">my own list</option>
          </select>
        </label>
        {choice !== 'program' && (
          <Declaration
            label="Tools as JSON: one, or a list"
            value={state.tools}
            problem={toolsProblem}
            onChange={(tools) => onChange({ tools })}
          />
        )}
      </div>
      <div className="column">
        <Declaration
          label="JSON Schema of the value (optional)"
          value={state.schema}
          problem={schemaProblem}
          onChange={(schema) => onChange({ schema })}
        />
      </div>
    </div>
  );
}

interface DeclarationProps {
  readonly label: string;
  readonly value: string;
  readonly problem: string;
  readonly onChange: (value: string) => void;
}

function Declaration({ label, value, problem, onChange }: DeclarationProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <textarea
        rows={8}
        value={value}
        spellCheck={false}
        aria-invalid={problem !== ''}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className="field-problem" role="status">
        {problem}
      </span>
    </label>
  );
}
