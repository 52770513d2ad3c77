import type { Envelope } from '../envelope.ts';
import { apertus } from './apertus.ts';
import { bareJson } from './bare-json.ts';
import { callText } from './call-text.ts';
import { callingTool } from './calling-tool.ts';
import { cohereAction } from './cohere-action.ts';
import { deepseekV3, deepseekV31 } from './deepseek.ts';
import { dsml } from './dsml.ts';
import { functionEqJson } from './function-eq-json.ts';
import { functionaryRecipient } from './functionary-recipient.ts';
import { functools } from './functools.ts';
import { functiongemma, gemma4 } from './gemma.ts';
import { gigachat3 } from './gigachat3.ts';
import { glm, hunyuanV3, longcatTagged } from './glm.ts';
import { granite3 } from './granite3.ts';
import { harmony } from './harmony.ts';
import { hermes } from './hermes.ts';
import { internlm2 } from './internlm2.ts';
import { invokeXml, invokeXmlRenamed, invokeXmlOldest, invokeXmlPrefixed } from './invoke-xml.ts';
import { kimiK2 } from './kimi-k2.ts';
import { kimiK3 } from './kimi-k3.ts';
import { lfm2 } from './lfm2.ts';
import { llamaBuiltin } from './llama-builtin.ts';
import { llama3Json } from './llama3-json.ts';
import { longcatJson } from './longcat-json.ts';
import { mcpXml } from './mcp-xml.ts';
import { minicpm5 } from './minicpm5.ts';
import { minimaxM3 } from './minimax-m3.ts';
import { mistralArgs } from './mistral-args.ts';
import { mistralJson } from './mistral-json.ts';
import { morphXml } from './morph-xml.ts';
import { nemotronToolcall } from './nemotron-toolcall.ts';
import { namedJson } from './named-json.ts';
import { olmo3 } from './olmo3.ts';
import { pythonicTokens } from './pythonic-tokens.ts';
import { pythonic } from './pythonic.ts';
import { qwen3Coder } from './qwen3-coder.ts';
import { react } from './react.ts';
import { step3 } from './step3.ts';
import { tagAliases } from './tag-aliases.ts';
import { taggedCode } from './tagged-code.ts';
import { tokenWrappedJson } from './token-wrapped-json.ts';
import { toolCallsArray } from './tool-calls-array.ts';
import { yamlBody } from './yaml-body.ts';

/** Every envelope that is known, in the order in which they are tried where openers collide. */
export const allEnvelopes: readonly Envelope[] = Object.freeze([
  // Tier 1: special tokens.
  deepseekV3,
  deepseekV31,
  step3,
  kimiK2,
  kimiK3,
  harmony,
  functionaryRecipient,
  dsml,
  minimaxM3,
  gemma4,
  functiongemma,
  granite3,
  llama3Json,
  llamaBuiltin,
  lfm2,
  mistralJson,
  mistralArgs,
  cohereAction,
  internlm2,
  apertus,
  gigachat3,
  tokenWrappedJson,
  pythonicTokens,
  longcatJson,
  longcatTagged,
  // Tier 2: tags that prose can hold.
  hermes,
  functionEqJson,
  qwen3Coder,
  minicpm5,
  hunyuanV3,
  yamlBody,
  glm,
  invokeXml,
  ...invokeXmlRenamed,
  invokeXmlPrefixed,
  invokeXmlOldest,
  toolCallsArray,
  nemotronToolcall,
  mcpXml,
  functools,
  callingTool,
  olmo3,
  react,
  morphXml,
  tagAliases,
  taggedCode,
  // Tier 3: nothing around the call.
  bareJson,
  pythonic,
  callText,
  namedJson,
]);
