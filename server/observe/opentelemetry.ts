/** OpenTelemetry's SDK as the recorder of spans. Only `tracing.ts` imports this file, if traces are turned on. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler, TRACE_PARENT_HEADER } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from './log';
import { releaseVersion } from './release';
import { enterSpan, type Recorder, readTraceparent, setRecorder } from './spans';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
/** Shorter than a supervisor waits for a process to end, so that a missing collector does not matter. */
const maxFlushMs = 2_000;
const warnEveryMs = 60_000;

/** Starts to record. The SDK reads its own `OTEL_…` variables. `stop` sends the remaining spans. */
export function startRecording(role: string, log: Logger): { stop(): Promise<void> } {
  let silentUntil = 0;
  setGlobalErrorHandler((error) => {
    const now = performance.now();
    if (now < silentUntil) return;
    silentUntil = now + warnEveryMs;
    const { name, code } = error as { name?: string; code?: string | number };
    log.warn({ error: name, errorCode: code }, 'traces were not sent');
  });
  const named = resourceFromAttributes({
    'service.name': 'loyalty',
    'service.version': releaseVersion,
    'service.instance.id': process.env.INSTANCE || hostname(),
    'loyalty.process': role,
  });
  const provider = new BasicTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('loyalty');
  const recorder: Recorder = {
    start: (name, { kind, attributes, links }, parent) => {
      const span = tracer.startSpan(
        name,
        { ...(kind && { kind: kinds[kind] }), ...(attributes && { attributes }), ...(links && { links }) },
        parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      );
      return span.isRecording() ? span : null;
    },
    read: (traceparent) => {
      const context = parseTraceParent(traceparent);
      return context && trace.wrapSpanContext({ ...context, isRemote: true });
    },
    write: (span) => {
      const { traceId, spanId, traceFlags } = span.spanContext();
      return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
    },
  };
  // Not registered with OpenTelemetry's own API, because Next would then record its spans there, with complete
  // addresses.
  setRecorder(recorder);
  return {
    stop: async () => {
      await Promise.race([provider.shutdown().catch(() => {}), wait(maxFlushMs, undefined, { ref: false })]);
      setRecorder(null);
    },
  };
}

/** In Next's process: each request continues the span that the front door names. */
export function followRequests(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    enterSpan(readTraceparent(request.headers[TRACE_PARENT_HEADER]));
  });
}
