export { readPrefix } from './prefix-value.ts';
