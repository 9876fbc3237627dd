'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { SwaggerSystem } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { Link } from '../../ui/link';
import { ApiKeyForm } from './api-key-form';
import { apiKeyScheme, loadDocument, type OpenApiDocument, operationGroups } from './open-api-document';
import { OperationNav } from './operation-nav';
import { SwaggerPanel } from './swagger-panel';

type State = { kind: 'loading' } | { kind: 'failed' } | { kind: 'loaded'; document: OpenApiDocument };

const headline = 'text-4xl/tight font-semibold tracking-[-0.03em]';
const link = 'rounded-sm font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink';
const timeoutMs = 15_000;

function Loading() {
  return (
    <div role="status" className="space-y-4 motion-safe:animate-pulse">
      <h1 className="sr-only">Loading the API console</h1>
      <div className="h-10 w-2/3 rounded-lg bg-line" />
      <div className="h-5 w-full rounded-md bg-line" />
      <div className="h-5 w-4/5 rounded-md bg-line" />
      <div className="h-14 w-full rounded-lg bg-line" />
      <div className="h-14 w-full rounded-lg bg-line" />
      <div className="h-14 w-full rounded-lg bg-line" />
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="max-w-lg space-y-6">
      <h1 className={headline}>API console</h1>
      <Alert tone="danger" title="The console did not load">
        The description of the API could not be loaded. Try again in a moment.
      </Alert>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

function Title({ document: { info }, documentUrl }: { document: OpenApiDocument; documentUrl: string }) {
  return (
    <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-3">
      <h1 className={headline}>API console</h1>
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-2 text-sm text-muted">
        <span className="font-mono">{info.version}</span>
        <Link href="/docs/reference" className={link}>
          API reference
        </Link>
        <a href={documentUrl} className={link}>
          OpenAPI document
        </a>
      </p>
    </div>
  );
}

/**
 * Swagger UI renders an operation asynchronously; until its responses are rendered, the page may be too short to
 * scroll.
 */
function scrollWhenOpen(id: string, framesLeft = 60) {
  const operation = window.document.getElementById(id);
  if (operation?.querySelector('.responses-inner')) operation.scrollIntoView({ block: 'start' });
  else if (framesLeft > 0) requestAnimationFrame(() => scrollWhenOpen(id, framesLeft - 1));
}

/** Opens an operation and scrolls to it. Swagger UI reads the URL only when it starts. */
function show(system: SwaggerSystem | null, tag: string, operationId: string) {
  system?.layoutActions.show(['operations-tag', tag], true);
  system?.layoutActions.show(['operations', tag, operationId], true);
  const id = `operations-${tag.replaceAll(' ', '_')}-${operationId}`;
  scrollWhenOpen(id);
}

/** Retries once before it asks the reader to, because most network faults are brief. */
export function ApiReference({ documentUrl }: { documentUrl: string }) {
  const [attempt, setAttempt] = useState(1);
  const again = useCallback(() => setAttempt((before) => before + 1), []);
  return <Reference key={attempt} documentUrl={documentUrl} isFirst={attempt === 1} onRetry={again} />;
}

interface ReferenceProps {
  documentUrl: string;
  isFirst: boolean;
  onRetry: () => void;
}

/** Loads once. For another attempt, another one is mounted. */
function Reference({ documentUrl, isFirst, onRetry }: ReferenceProps) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const system = useRef<SwaggerSystem>(null);
  const fail = useCallback(() => {
    if (isFirst) onRetry();
    else setState({ kind: 'failed' });
  }, [isFirst, onRetry]);

  useEffect(() => {
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(timeoutMs)]);
    loadDocument(documentUrl, signal).then(
      (document) => setState({ kind: 'loaded', document }),
      () => abort.signal.aborted || fail(),
    );
    return () => abort.abort();
  }, [documentUrl, fail]);

  const ready = useCallback((started: SwaggerSystem) => {
    system.current = started;
  }, []);

  if (state.kind === 'loading') return <Loading />;
  if (state.kind === 'failed') return <Failed onRetry={onRetry} />;

  const { document } = state;
  const scheme = apiKeyScheme(document);

  function setKey(key: string | null) {
    if (!scheme) return;
    if (key) system.current?.preauthorizeApiKey(scheme, key);
    else system.current?.authActions.logout([scheme]);
  }

  return (
    <div className="grid gap-12 lg:grid-cols-[14rem_minmax(0,1fr)] xl:gap-16">
      <div className="max-lg:hidden">
        <div className="sticky top-24 max-h-[calc(100dvh-8rem)] overflow-y-auto pb-6">
          <OperationNav groups={operationGroups(document)} onSelect={(...entry) => show(system.current, ...entry)} />
        </div>
      </div>
      <div className="min-w-0">
        <Title document={document} documentUrl={documentUrl} />
        {scheme ? <ApiKeyForm onChange={setKey} /> : null}
        <SwaggerPanel document={document} onReady={ready} onFail={fail} />
      </div>
    </div>
  );
}
