export * from './json.ts';
