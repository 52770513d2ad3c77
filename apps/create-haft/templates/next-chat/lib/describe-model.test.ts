import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeModel } from './describe-model.ts';

describe('the line about the model on the page', () => {
  it('says that a script plays the model if none is configured', () => {
    assert.match(describeModel({}), /so a script plays the model/);
  });

  it('names the model but not its server', () => {
    assert.equal(describeModel({ MODEL_URL: 'http://10.0.0.1/v1', MODEL_NAME: 'qwen3' }), 'qwen3');
  });

  it('names a missing variable', () => {
    assert.match(describeModel({ MODEL_URL: 'http://10.0.0.1/v1' }), /MODEL_NAME is missing/);
  });
});
