import type { ToolEvent } from '@haft/core';
import type { Attributes, Meter } from '@opentelemetry/api';
import { otherTool } from './call-attributes.ts';

// Boundaries recommended by the semantic conventions for durations of generative AI operations.
export const durationBoundaries: number[] = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

/** Creates an observer that records the duration and outcome of calls, and the number of active calls. */
export function createCallMetrics(meter: Meter): (event: ToolEvent) => void {
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'Duration of agent runs, requests to models and tool calls.',
    advice: { explicitBucketBoundaries: durationBoundaries },
  });
  const active = meter.createUpDownCounter('haft.tool.active', {
    unit: '{call}',
    description: 'Number of active tool calls.',
  });
  return (event) => {
    if (event.action === 'execute_progress') return;
    if (event.action === 'execute_start') return active.add(1);
    active.add(-1);
    const attributes: Attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': nameOf(event),
      ...(event.error ? { 'error.type': event.error.code, 'haft.error.fault': event.error.fault } : {}),
    };
    duration.record(event.duration / 1_000, attributes);
  };
}

/** Returns the name of the tool, or a fixed name if it is unknown. */
export function nameOf({ data, error }: ToolEvent): string {
  return error?.code === 'TOOL_NOT_FOUND' ? otherTool : data.name;
}
