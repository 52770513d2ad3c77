export { pluginText } from './plugin-text.ts';
