/**
 * A scripted model for tests of agents.
 *
 * @packageDocumentation
 */
export {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedTurn,
} from './testing/scripted-model.ts';
