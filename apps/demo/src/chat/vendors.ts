/** Somebody who serves models over the OpenAI-compatible chat API. */
export interface Vendor {
  readonly name: string;
  /** The variable that holds the key; its presence chooses the vendor. */
  readonly keyVariable: string;
  readonly baseUrl: string;
  /** Variables that say something else than the default, where the vendor's own tools know them. */
  readonly urlVariable?: string;
  readonly modelVariable?: string;
}

/** In the order in which their keys are looked for. */
export const vendors: readonly Vendor[] = [
  {
    name: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    baseUrl: 'https://api.openai.com/v1',
    urlVariable: 'OPENAI_BASE_URL',
    modelVariable: 'OPENAI_MODEL',
  },
  { name: 'openrouter', keyVariable: 'OPENROUTER_API_KEY', baseUrl: 'https://openrouter.ai/api/v1' },
  { name: 'groq', keyVariable: 'GROQ_API_KEY', baseUrl: 'https://api.groq.com/openai/v1' },
  { name: 'mistral', keyVariable: 'MISTRAL_API_KEY', baseUrl: 'https://api.mistral.ai/v1' },
  { name: 'deepseek', keyVariable: 'DEEPSEEK_API_KEY', baseUrl: 'https://api.deepseek.com/v1' },
  {
    name: 'google',
    keyVariable: 'GEMINI_API_KEY',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  },
];
