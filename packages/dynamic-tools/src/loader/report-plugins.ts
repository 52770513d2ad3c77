import type { RestoreProblem } from '@haft/core/registry';
import type { RestoreReport } from '@haft/core';
import type { PluginInfo } from '../plugin-report.ts';

/**
 * Reports the outcome for each plugin at the start. `restored` contains the names of tools, the other lists contain
 * plugin ids.
 */
export function reportPlugins(plugins: readonly PluginInfo[], remembered: readonly string[]): RestoreReport {
  const shadowed: RestoreProblem[] = [];
  const failed: RestoreProblem[] = [];
  for (const { id, failure } of plugins) {
    if (!failure || failure.phase === 'disabled') continue;
    (failure.phase === 'register' ? shadowed : failed).push({ name: id, reason: failure.message });
  }
  const missing = remembered
    .filter((id) => !plugins.some((plugin) => plugin.id === id))
    .map((id) => ({ name: id, reason: 'the catalog lists this plugin, but its files are missing' }));
  return { restored: plugins.flatMap(({ tools }) => tools).sort(), shadowed, missing, changed: [], failed };
}
