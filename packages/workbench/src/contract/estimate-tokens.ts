const charactersPerToken = 4;

/** Estimates the tokens of a text: four characters count as one token, as in English text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
