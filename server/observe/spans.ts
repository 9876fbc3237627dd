/**
 * Spans of traces (OpenTelemetry): what a request or job did, and for how long. Without a recorder, which
 * `server/observe/opentelemetry.ts` sets, each call here costs one look. Names and attributes hold no data of people, no
 * keys and no parameters: names are those of code and routes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Link, Span } from '@opentelemetry/api';

export interface SpanFacts {
  /** Server: a request to us; client: one of ours to the database; consumer: a job. */
  kind?: 'server' | 'client' | 'consumer';
  attributes?: Attributes;
  links?: Link[];
  /** Null begins a trace; without it, the parent is the current span. */
  parent?: Span | null;
}

export interface Recorder {
  /** Null for a span of a trace that is not sampled: what belongs to it then costs no more than without a recorder. */
  start(name: string, facts: SpanFacts, parent: Span | undefined): Span | null;
  /** Returns the span that another process or caller names in a `traceparent` header; null if it names none. */
  read(traceparent: string): Span | null;
  /** Returns the span as `traceparent` header. */
  write(span: Span): string;
}

/** Next's bundles each have a copy of this module, so that what they share is global. */
const home = globalThis as { [spans]?: { recorder: Recorder | null; current: AsyncLocalStorage<Span | undefined> } };
const spans = Symbol.for('loyalty.spans');
home[spans] ??= { recorder: null, current: new AsyncLocalStorage() };
const shared = home[spans];

/** Turns recording on, or off with null. */
export function setRecorder(recorder: Recorder | null): void {
  shared.recorder = recorder;
}

/** False costs one look: what a span would be described by need not be gathered. */
export const isRecording = (): boolean => shared.recorder !== null;

export const currentSpan = (): Span | undefined => (shared.recorder ? shared.current.getStore() : undefined);

/** Returns the span as `traceparent`, for another process; undefined if there is none. */
export const traceparentOf = (span: Span | undefined): string | undefined => span && shared.recorder?.write(span);

/** Returns the span that a `traceparent` names; null if it names none, or nothing is recorded. */
export const readTraceparent = (traceparent: unknown): Span | null =>
  typeof traceparent === 'string' ? (shared.recorder?.read(traceparent) ?? null) : null;

/** Starts a span that the caller ends; null if it is not recorded. */
export function startSpan(name: string, facts: SpanFacts): Span | null {
  const parent = facts.parent === undefined ? shared.current.getStore() : (facts.parent ?? undefined);
  return shared.recorder?.start(name, facts, parent) ?? null;
}

/** Runs `work` with `span` as the current one. */
export const runIn = <T>(span: Span | null, work: () => T): T => (span ? shared.current.run(span, work) : work());

/** Makes `span` the current one for the rest of this callback, and all that it starts. */
export const enterSpan = (span: Span | null): void => shared.current.enterWith(span ?? undefined);

/**
 * Records `work` as a span. What belongs to no request or job, such as a check of readiness, is not recorded. An error is
 * recorded by its code or class, because messages may quote data.
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

/** Records `work` for several spans as one: below the first of them, and linked with the others in both directions. */
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

/** A code of ours or of PostgreSQL, or the class of the error. */
function errorType(thrown: unknown): string {
  const error = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
