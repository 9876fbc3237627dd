/**
 * Spans of traces (OpenTelemetry): what a request or job did, and for how long. Without a recorder, which
 * `server/observe/opentelemetry.ts` sets, each call here costs one look. Names and attributes hold no data of people, no
 * keys and no parameters: names are those of code and routes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Link, Span } from '@opentelemetry/api';

export interface SpanFacts {
  /** `server`: a request to us. `client`: our request to the database. `consumer`: a job. */
  kind?: 'server' | 'client' | 'consumer';
  attributes?: Attributes;
  links?: Link[];
  /** The parent; null to begin a trace, undefined for the current span. */
  parent?: Span | null;
}

export interface Recorder {
  /** Returns null in a trace that is not sampled. Spans below it then cost no more than without a recorder. */
  start(name: string, facts: SpanFacts, parent: Span | undefined): Span | null;
  /** Returns the span that another process or caller names in a `traceparent` header, or null. */
  read(traceparent: string): Span | null;
  /** Returns the span as a `traceparent` header. */
  write(span: Span): string;
}

/** Next's bundles each have a copy of this module, so what they share is global. */
const home = globalThis as { [spans]?: { recorder: Recorder | null; current: AsyncLocalStorage<Span | undefined> } };
const spans = Symbol.for('loyalty.spans');
home[spans] ??= { recorder: null, current: new AsyncLocalStorage() };
const shared = home[spans];

/** Turns recording on, or off with null. */
export function setRecorder(recorder: Recorder | null): void {
  shared.recorder = recorder;
}

/** Costs one check. If false, a span's attributes need not be gathered. */
export const isRecording = (): boolean => shared.recorder !== null;

export const currentSpan = (): Span | undefined => (shared.recorder ? shared.current.getStore() : undefined);

/** Returns the span as `traceparent`, for another process; undefined without a span. */
export const traceparentOf = (span: Span | undefined): string | undefined => span && shared.recorder?.write(span);

/** Returns the span that a `traceparent` names, or null if it names none or recording is off. */
export const readTraceparent = (traceparent: unknown): Span | null =>
  typeof traceparent === 'string' ? (shared.recorder?.read(traceparent) ?? null) : null;

/** Starts a span that the caller ends; null if it is not recorded. */
export function startSpan(name: string, facts: SpanFacts): Span | null {
  const parent = facts.parent === undefined ? shared.current.getStore() : (facts.parent ?? undefined);
  return shared.recorder?.start(name, facts, parent) ?? null;
}

/** Runs `work` with `span` as the current one. */
export const runIn = <T>(span: Span | null, work: () => T): T => (span ? shared.current.run(span, work) : work());

/** Makes `span` the current one for the rest of this callback and for everything that it starts. */
export const enterSpan = (span: Span | null): void => shared.current.enterWith(span ?? undefined);

/**
 * Records `work` as a span. Work outside of a request or job, such as a check of readiness, is not recorded. An error
 * is recorded by its code or class, because messages may quote data.
 */
export function inSpan<T>(name: string, work: () => Promise<T>, facts: SpanFacts = {}): Promise<T> {
  const isPart = shared.recorder && (facts.parent !== undefined || shared.current.getStore());
  if (!isPart) return work();
  const span = startSpan(name, facts);
  return span ? record(span, work) : shared.current.run(undefined, work);
}

async function record<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await shared.current.run(span, work);
  } catch (error) {
    span.setAttribute('error.type', errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Records `work` once for several spans: below the first, and linked with the others in both directions. */
export function inSharedSpan<T>(
  name: string,
  [first, ...others]: (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!shared.recorder) return work();
  const links = others.flatMap((other) => (other ? [{ context: other.spanContext() }] : []));
  return inSpan(
    name,
    () => {
      const context = currentSpan()?.spanContext();
      if (context) for (const other of others) other?.addLink({ context });
      return work();
    },
    { links, parent: first ?? null },
  );
}

/** The error's code (ours or PostgreSQL's), or else its class. */
function errorType(thrown: unknown): string {
  const error = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
