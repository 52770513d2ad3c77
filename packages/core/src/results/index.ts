/**
 * Content parts, effects, stored results and other details of tool results.
 *
 * @packageDocumentation
 */
export type { TextPart, JsonPart, ImagePart, AudioPart, ResourcePart } from '../contracts/results/content.ts';
export type { ProcessEffect } from '../contracts/results/effect.ts';
export type { JsonValue } from '../contracts/results/json.ts';
export type { ArgumentCoercion, ArgumentReport } from '../contracts/results/result.ts';
export { describeCause } from '../describe-cause.ts';
export { httpStatusOf } from './http-status.ts';
export { type ToolErrorExtras } from './tool-error.ts';
export { renderPart } from './render-for-model.ts';
export { toParts } from './tool-result.ts';
export { fileEffects, processEffects } from './effects-of.ts';
export { fromStoredResult, toStoredResult, type StoredResult, type StoreResultOptions } from './stored-result.ts';
