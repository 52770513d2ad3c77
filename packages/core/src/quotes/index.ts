/**
 * Recognition of calls in a model's text that only repeat earlier text of users and tools.
 *
 * @packageDocumentation
 */
export { findQuotes, type IsQuoted } from './find-quotes.ts';
