export type { Case } from './cases.ts';
export { makeCompositions, makeControls, makeSingles } from './cases.ts';
export type { DamageGroup } from './damages/damage.ts';
export { damages, plainDamages } from './damages/index.ts';
export { makePrefixes } from './make-prefixes.ts';
export { pathologicalShapes } from './pathological-shapes.ts';
export type { SpeedText } from './speed-texts.ts';
export { speedTexts } from './speed-texts.ts';
