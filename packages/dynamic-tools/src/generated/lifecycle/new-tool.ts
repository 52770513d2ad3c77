import {
  defineTool,
  failure,
  success,
  toolError,
  type AnyTool,
  type ToolContext,
  type ToolError,
  type ToolResult,
} from '@haft/core';
import { describeHolder, findNameConflict } from '../../name-conflicts.ts';
import { plainModules } from '../trial/allowed-modules.ts';
import { findHidden, showBody } from './show-tool-body.ts';
import { fieldTypes, readDraft, toolNamePattern, type DraftArguments } from '../trial/read-draft.ts';
import type { ToolDraft } from '../../catalog/tool-draft.ts';
import { generatedProvider } from '../store/tool-store.ts';
import type { Candidate } from '../store/tool-builder.ts';
import { describeFaults, type TrialFault, type TrialReport } from '../trial/trial-report.ts';
import { needsMore } from '../trial/try-tool.ts';
import { askAll, askForCapabilities, resolveCapabilities } from './ask-about-tool.ts';
import type { ToolDeps } from './lifecycle-tool-deps.ts';
import { supersededFailure, withCatalog } from './lifecycle-tool-failures.ts';

interface NewToolArguments extends DraftArguments {
  readonly replace?: boolean;
}

/** Creates `new_tool`: a model writes a tool, which is checked, tried, shown to the user, stored and registered. */
export function createNewTool(deps: ToolDeps): AnyTool {
  const modules = [...plainModules, ...deps.modules].join(', ');
  return defineTool({
    name: 'new_tool',
    description: [
      'Creates a tool that you can call from then on, also after a restart. Give its arguments as fields (or as a JSON Schema,',
      'input), and its code as body: the statements of an async TypeScript function with args and context, which returns text or',
      'JSON, such as "return args.text.split(/\\\\s+/).length;". It runs in its own process without access to anything except the',
      'capabilities that it declares and the user approves. Its tests run first; failures come back as issues.',
      `It may import ${modules}.`,
    ].join(' '),
    input: inputSchema,
    timeoutMs: 600_000,
    // Command rules can't see what generated code does, so every mode asks the user unless a rule names this tool.
    traits: { requires: ['process'] },
    check: (args) => findHidden(args as unknown as Readonly<Record<string, unknown>>),
    initialTitle: ({ name, replace }) => `${replace === true ? 'Replace' : 'Make'} the tool ${name.slice(0, 64)}`,
    execute: (args, context) => withCatalog(context, () => createTool(deps, args, context)),
  }) as AnyTool;
}

async function createTool(deps: ToolDeps, args: NewToolArguments, context: ToolContext): Promise<ToolResult> {
  const { catalog, builder } = deps;
  const { callId, signal } = context;
  const read = readDraft(args, deps.modules);
  if (isFaults(read)) return failure(callId, invalid(`${args.name} can't be created`, read));
  const draft: ToolDraft = { ...read, capabilities: resolveCapabilities(read.capabilities, context.cwd) };
  const { name } = draft;
  const before = await catalog.entry(name);
  const conflict = findNameConflict(deps.registry, generatedProvider, [name], [], deps.mayShadow);
  if (conflict)
    return taken(context, `the name ${name} belongs to ${describeHolder(conflict.holder)}`, 'Choose another name.');
  if (before && args.replace !== true)
    return taken(
      context,
      `the tool ${name} exists already`,
      'Pass "replace": true to replace it, or choose another name.',
    );

  context.progress(`trying ${name}`);
  const { trial, candidate } = await builder.prepare(draft, signal);
  if (!candidate) return refuse(deps, name, trial.report, context);

  const passed = trial.report.examples.length;
  const denied = await askAll(context, name, [
    {
      title: `${before ? `Replace version ${before.entry.version} of` : 'Keep'} the tool ${name}`,
      footprint: { reads: [], writes: [`tool:${name}`] },
      arguments: {
        name,
        description: draft.description,
        capabilities: draft.capabilities,
        imports: draft.imports,
        source: showBody(draft.body),
        diff: candidate.diff.patch,
        types: trial.report.types.state,
        passed,
      },
    },
    ...askForCapabilities(name, draft.capabilities),
  ]);
  if (denied) return denied;
  if (needsMore(draft.capabilities) && draft.examples.length > 0) {
    const faults = await builder.runWithGrants(candidate, signal);
    if (faults.length > 0) return refuse(deps, name, { ...trial.report, passed: false, faults }, context);
  }
  if (!(await builder.keep(candidate))) return supersededFailure(context, name);
  await deps.follow(name);
  return createResult(deps, candidate, trial.report, context);
}

function createResult(deps: ToolDeps, candidate: Candidate, report: TrialReport, context: ToolContext): ToolResult {
  const { name, version, diff, examples } = candidate;
  const info = deps.infos().find((one) => one.name === name);
  const types = report.types.state === 'skipped' ? ` Its types were not checked: ${report.types.reason}.` : '';
  const tests = examples.length === 0 ? 'It has no tests.' : `${examples.length} of ${examples.length} tests passed.`;
  const structured = { name, version, report: { types: report.types, tests: report.examples } };
  if (info?.state !== 'live') {
    const message = `${name} was stored, but can't be called: ${info?.reason ?? 'it was removed meanwhile'}`;
    return failure(context.callId, toolError('PLUGIN_FAILED', message, { fault: 'world' }), { structured });
  }
  return success(context.callId, `${name} (version ${version}) can be called now. ${tests}${types}`, {
    summary: `${version === 1 ? 'Made' : 'Replaced'} the tool ${name}`,
    structured,
    diff,
  });
}

/** Reports the faults of a failed trial and quarantines the tool. */
function refuse(deps: ToolDeps, name: string, report: TrialReport, context: ToolContext): ToolResult {
  deps.emit({ type: 'tool-quarantined', name, report: describeFaults(report.faults) });
  const error = invalid(`${name} failed its trial`, report.faults);
  return failure(context.callId, error, { structured: { name, report } });
}

function invalid(message: string, faults: readonly TrialFault[]): ToolError {
  const hint = 'Correct the issues and call new_tool again with the complete tool.';
  return toolError('INVALID_ARGS', `${message}:\n${describeFaults(faults)}`, { hint, details: { faults } });
}

function taken({ callId }: ToolContext, message: string, hint: string): ToolResult {
  return failure(callId, toolError('ALREADY_EXISTS', message, { hint }));
}

function isFaults(read: ToolDraft | readonly TrialFault[]): read is readonly TrialFault[] {
  return Array.isArray(read);
}

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text, maxItems: 100 } as const;
const inputSchema = {
  type: 'object',
  properties: {
    name: { ...text, pattern: toolNamePattern.source, description: 'Such as count_words.' },
    description: { ...text, description: 'What the tool does and when to use it.' },
    fields: {
      type: 'array',
      description: 'The arguments.',
      items: {
        type: 'object',
        properties: {
          name: text,
          type: { ...text, enum: fieldTypes.flatMap((type) => [type, `${type}[]`]) },
          description: text,
          required: { type: 'boolean', description: 'Default true.' },
          values: { ...texts, description: 'The allowed values.' },
        },
        required: ['name', 'type'],
        additionalProperties: false,
      },
    },
    input: { type: 'object', description: 'The arguments as a JSON Schema, instead of fields.' },
    output: { type: 'object', description: 'A JSON Schema that the answer must match.' },
    body: {
      ...text,
      description: 'TypeScript statements that use args and context. Types are stripped: no enums.',
    },
    imports: {
      type: 'array',
      items: {
        type: 'object',
        properties: { from: text, names: texts, as: { ...text, description: 'A name for the whole module.' } },
        required: ['from'],
        additionalProperties: false,
      },
    },
    tests: {
      type: 'array',
      description: 'Calls with their exact expected answers.',
      items: {
        type: 'object',
        properties: {
          arguments: { type: 'object' },
          expected: { description: 'Without it, the call must only succeed.' },
        },
        required: ['arguments'],
        additionalProperties: false,
      },
    },
    capabilities: {
      type: 'object',
      description: 'Access beyond computing; the user approves each.',
      properties: {
        fs: { type: 'object', properties: { read: texts, write: texts }, additionalProperties: false },
        hosts: texts,
        exec: { type: 'boolean' },
        env: texts,
      },
      additionalProperties: false,
    },
    replace: { type: 'boolean', description: 'true replaces the tool of this name.' },
  },
  required: ['name', 'description', 'body'],
  additionalProperties: false,
} as const;
