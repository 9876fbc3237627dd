/** Next calls this before it answers: the traces of its process, which sends the last spans before it ends. */
export async function register(): Promise<void> {
  // Within the condition, so that Next's build for its Edge runtime leaves it out.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startTracing } = await import('./server/observe/tracing');
    const { processLog } = await import('./server/observe/log');
    const { stop } = await startTracing('next', process.env.OTEL_EXPORTER_OTLP_ENDPOINT, processLog());
    if (process.env.NEXT_MANUAL_SIG_HANDLE) process.once('SIGTERM', () => stop().finally(() => process.exit(0)));
  }
}
