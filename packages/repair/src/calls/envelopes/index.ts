import type { Envelope } from '../contract/envelope.ts';
import { apertus } from './json/apertus.ts';
import { bareJson } from './json/bare-json.ts';
import { callText } from './code/call-text.ts';
import { callingTool } from './code/calling-tool.ts';
import { cohereAction } from './json/cohere-action.ts';
import { deepseekV3, deepseekV31 } from './named/deepseek.ts';
import { dsml } from './tagged/dsml.ts';
import { functionEqJson } from './named/function-eq-json.ts';
import { functionaryRecipient } from './named/functionary-recipient.ts';
import { functools } from './json/functools.ts';
import { functiongemma, gemma4 } from './named/gemma.ts';
import { gigachat3 } from './json/gigachat3.ts';
import { glm, hunyuanV3, longcatTagged } from './tagged/glm.ts';
import { granite3 } from './json/granite3.ts';
import { harmony } from './named/harmony.ts';
import { hermes } from './json/hermes.ts';
import { internlm2 } from './json/internlm2.ts';
import { invokeXml, invokeXmlRenamed, invokeXmlOldest, invokeXmlPrefixed } from './tagged/invoke-xml.ts';
import { kimiK2 } from './named/kimi-k2.ts';
import { kimiK3 } from './tagged/kimi-k3.ts';
import { lfm2 } from './code/lfm2.ts';
import { llamaBuiltin } from './code/llama-builtin.ts';
import { llama3Json } from './json/llama3-json.ts';
import { longcatJson } from './json/longcat-json.ts';
import { mcpXml } from './named/mcp-xml.ts';
import { minicpm5 } from './tagged/minicpm5.ts';
import { minimaxM3 } from './tagged/minimax-m3.ts';
import { mistralArgs } from './named/mistral-args.ts';
import { mistralJson } from './json/mistral-json.ts';
import { morphXml } from './tagged/morph-xml.ts';
import { nemotronToolcall } from './json/nemotron-toolcall.ts';
import { namedJson } from './named/named-json.ts';
import { olmo3 } from './code/olmo3.ts';
import { pythonicTokens } from './code/pythonic-tokens.ts';
import { pythonic } from './code/pythonic.ts';
import { qwen3Coder } from './tagged/qwen3-coder.ts';
import { react } from './named/react.ts';
import { templateTokens } from './code/template-tokens.ts';
import { step3 } from './tagged/step3.ts';
import { tagAliases } from './tagged/tag-aliases.ts';
import { taggedCode } from './code/tagged-code.ts';
import { tokenWrappedJson } from './json/token-wrapped-json.ts';
import { toolCallsArray } from './json/tool-calls-array.ts';
import { yamlBody } from './tagged/yaml-body.ts';

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
  templateTokens,
  // Tier 3: nothing around the call.
  bareJson,
  pythonic,
  callText,
  namedJson,
]);
