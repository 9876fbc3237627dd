import type { Logger } from './log';

/**
 * Sends traces to `OTEL_EXPORTER_OTLP_ENDPOINT`. Without it, nothing of OpenTelemetry is loaded. `stop` sends the last
 * spans.
 */
export async function startTracing(
  process: 'service' | 'worker' | 'next',
  endpoint: string | undefined,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  if (!endpoint) return { stop: async () => {} };
  const { startRecording, followRequests } = await import('./opentelemetry');
  if (process === 'next') followRequests();
  return startRecording(process, log);
}
