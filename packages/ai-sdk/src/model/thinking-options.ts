import type { Model, ModelRequest } from '@haft/core';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';

type ThinkingOptions = Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'>;
type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>;

/** Thinking settings of vendors that take a number of tokens, by the first part of the provider's name. */
const byTokens: Readonly<Record<string, (isOn: boolean, tokens: number | undefined) => ProviderOptions>> = {
  anthropic: (isOn, tokens) => ({
    anthropic: {
      thinking: isOn
        ? { type: 'enabled', ...(tokens !== undefined && { budgetTokens: tokens }) }
        : { type: 'disabled' },
    },
  }),
  google: (isOn, tokens) => ({
    google: { thinkingConfig: { ...((!isOn || tokens !== undefined) && { thinkingBudget: isOn ? tokens! : 0 }) } },
  }),
};

/** Returns which thinking settings reach a language model. */
export function thinkingSupport(specification: 'v3' | 'v4', vendor: string): NonNullable<Model['supports']> {
  if (Object.hasOwn(byTokens, vendor)) return ['thinking', 'thinkingBudget'];
  return specification === 'v4' ? ['thinking'] : [];
}

/** Converts the thinking settings of a request: to the vendor's own if there are any, else to a reasoning effort. */
export function toThinkingOptions(
  { thinking, thinkingBudget }: ModelRequest,
  specification: 'v3' | 'v4',
  vendor: string,
  settings: ProviderOptions = {},
): ThinkingOptions {
  if (thinking === undefined && thinkingBudget === undefined) return {};
  const isOn = thinking ?? thinkingBudget !== 0;
  if (Object.hasOwn(byTokens, vendor)) {
    const own = byTokens[vendor]!(isOn, thinkingBudget);
    const merged = Object.entries(own).map(([name, options]) => [name, { ...options, ...settings[name] }] as const);
    return { providerOptions: { ...settings, ...Object.fromEntries(merged) } };
  }
  return specification === 'v4' && thinking !== undefined ? { reasoning: isOn ? 'medium' : 'none' } : {};
}
