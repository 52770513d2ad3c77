import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { runAgent } from '@haft/runner';
import { chooseModel } from './choose-model.ts';
import { createTools } from './create-tools.ts';
import { createWorkspaceIn } from './create-workspace.ts';
import { createScriptedModel } from './scripted-model.ts';

async function copyNotes(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'));
  test.after(() => rm(folder, { recursive: true }));
  await cp(join(import.meta.dirname, '..', 'notes'), folder, { recursive: true });
  return folder;
}

describe('the agent', () => {
  it('reads the notes, asks, and adds the missing item', async (test) => {
    const folder = await copyNotes(test);
    const questions: string[] = [];
    const workspace = createWorkspaceIn(folder, ({ title }) => {
      questions.push(title);
      return { action: 'allow', scope: 'once' };
    });
    const run = { model: createScriptedModel(), tools: createTools(), workspace, prompt: 'What do I need?' };
    const result = await runAgent(run);
    assert.equal(result.stopReason, 'finished');
    assert.deepEqual(
      result.calls.map(({ call, result: { ok } }) => [call.name, ok]),
      [
        ['read', true],
        ['read', true],
        ['add_item', true],
      ],
    );
    assert.deepEqual(questions, ['Add "6 eggs" to shopping.md']);
    assert.match(await readFile(join(folder, 'shopping.md'), 'utf8'), /^- 6 eggs$/m);
  });

  it('changes nothing when the user says no', async (test) => {
    const folder = await copyNotes(test);
    const before = await readFile(join(folder, 'shopping.md'), 'utf8');
    const workspace = createWorkspaceIn(folder, () => ({ action: 'deny', reason: 'Not now.' }));
    const run = { model: createScriptedModel(), tools: createTools(), workspace, prompt: 'What do I need?' };
    const result = await runAgent(run);
    assert.match(result.text, /I was not allowed/);
    assert.equal(await readFile(join(folder, 'shopping.md'), 'utf8'), before);
  });
});

describe('chooseModel', () => {
  it('uses any OpenAI-compatible server', () => {
    const { model, description } = chooseModel({ MODEL_URL: 'http://localhost:11434/v1', MODEL_NAME: 'qwen3' });
    assert.equal(model.name, 'qwen3');
    assert.equal(description, 'qwen3 at http://localhost:11434/v1');
  });

  it('plays a script without a server', () => {
    assert.match(chooseModel({}).description, /a script plays the model/);
  });

  it('says which variable is missing', () => {
    assert.throws(() => chooseModel({ MODEL_URL: 'http://localhost:11434/v1' }), /MODEL_NAME is missing/);
  });
});
