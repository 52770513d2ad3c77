export { countSlips } from './values/count-slips.ts';
