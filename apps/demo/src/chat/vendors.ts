/** A provider of models with the OpenAI-compatible chat API. */
export interface Vendor {
  readonly name: string;
  /** The variable with the key. Its presence selects the vendor. */
  readonly keyVariable: string;
  readonly baseUrl: string;
  /** Variables that override the defaults, if the vendor's own tools use them. */
  readonly urlVariable?: string;
  readonly modelVariable?: string;
}

/** In the order in which their keys are looked up. */
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
