/** The tool that every contender serves. It returns its argument. */
export const echoName = 'echo';
export const echoDescription = 'Says what it is told.';
export const echoText = 'the quick brown fox';
export const echoSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
