import type { DialectView, ToolDetails } from '../../../src/contract/page-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';

/** Names of the dialects for people, and when each is used. */
const labels: Readonly<Record<string, { readonly name: string; readonly use: string }>> = {
  '': { name: 'Original', use: 'The schema as the tool declares it. Haft checks every call against it.' },
  'openai-strict': {
    name: 'OpenAI strict',
    use: 'For OpenAI with `strict: true`. The model can’t break the schema, but fewer rules are allowed in it.',
  },
  openai: { name: 'OpenAI', use: 'For OpenAI without strict. The model sees all rules, and may break them.' },
  'anthropic-strict': {
    name: 'Anthropic strict',
    use: 'For Anthropic with `strict: true`. The model can’t break the schema, but fewer rules are allowed in it.',
  },
  anthropic: { name: 'Anthropic', use: 'For Anthropic without strict, as `input_schema`.' },
  gemini: {
    name: 'Gemini',
    use: 'For the Gemini API and Vertex AI, as `parametersJsonSchema`. Use this one, unless your SDK has only `parameters`.',
  },
  'gemini-openapi': {
    name: 'Gemini (OpenAPI)',
    use: 'For older SDKs of Gemini, as `parameters`: the subset of OpenAPI 3.0, which has no `$ref` and one type per value.',
  },
  mistral: { name: 'Mistral', use: 'For Mistral, as `parameters` of a function.' },
  'json-schema-2020-12': { name: 'JSON Schema 2020-12', use: 'For MCP clients and other readers of JSON Schema.' },
  'draft-07': { name: 'JSON Schema draft-07', use: 'For readers that know only draft-07.' },
};

/** The schema as each model vendor gets it, with its cost and the rules that are lost. */
export function Schemas({ tool, dialect }: { readonly tool: ToolDetails; readonly dialect: string }) {
  const chosen = tool.dialects.find((one) => one.dialect === dialect);
  const all = [{ dialect: '', tokens: tool.tokens }, ...tool.dialects];
  const { name, use } = labels[dialect] ?? { name: dialect, use: '' };
  return (
    <section className="pane" aria-label="Schema">
      <h3>Schema</h3>
      <nav className="row wrap dialects" aria-label="Schema for">
        {all.map(({ dialect: one, tokens }) => (
          <a
            key={one}
            className="choice"
            href={routeTo('tools', tool.name, { show: 'schema', ...(one === '' ? {} : { dialect: one }) })}
            aria-current={one === dialect ? 'true' : undefined}
          >
            {labels[one]?.name ?? one} <span className="quiet">{tokens}</span>
          </a>
        ))}
        <span className="quiet">The numbers are estimated tokens of the whole definition.</span>
      </nav>
      <p role="status">
        <strong>{name}</strong>:{' '}
        {use.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}{' '}
        {chosen !== undefined && differenceOf(tool, chosen)}
      </p>
      {chosen?.problem !== undefined && (
        <p className="notice bad">
          {name} can’t express the tool: {visible(chosen.problem)}
        </p>
      )}
      {chosen !== undefined && chosen.lost.length > 0 && (
        <div className="notice warn">
          <p>
            {name} can’t express these rules. The descriptions state them in words where possible, and Haft checks them
            after the model has answered:
          </p>
          <ul className="dots">
            {chosen.lost.map(({ path, keyword, meaning }) => (
              <li key={`${path} ${keyword}`}>
                <code>
                  {visible(path)} {keyword}
                </code>
                : {visible(meaning)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <CodeBlock
        title={`${name}, about ${chosen?.tokens ?? tool.tokens} tokens`}
        text={JSON.stringify(chosen?.schema ?? tool.schema, null, 2)}
        isWhole
      />
    </section>
  );
}

/** Says how a schema differs from the original. */
function differenceOf(tool: ToolDetails, { schema, lost, problem }: DialectView): string {
  if (problem !== undefined) return '';
  if (JSON.stringify(schema) === JSON.stringify(tool.schema)) return 'It equals the original.';
  if (lost.length === 0) return 'It is written differently from the original and keeps all its rules.';
  return `It lacks ${lost.length} ${lost.length === 1 ? 'rule' : 'rules'} of the original.`;
}
