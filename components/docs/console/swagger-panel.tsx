'use client';

import { useEffect, useRef } from 'react';
import type { SwaggerRequest, SwaggerSystem } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { withFreshIds } from './fresh-ids';
import type { OpenApiDocument } from './open-api-document';
import { watchAccess } from './swagger-access';
import { referencePlugin } from './swagger-plugin';

/** Sends requests to the page's own origin, because the policy allows no other, whatever host name the reader used. */
function toThisOrigin(request: SwaggerRequest): SwaggerRequest {
  const { pathname, search } = new URL(request.url, window.location.origin);
  return Object.assign(request, { url: `${window.location.origin}${pathname}${search}` });
}

interface SwaggerPanelProps {
  document: OpenApiDocument;
  onReady: (system: SwaggerSystem) => void;
  onFail: () => void;
}

/** Renders Swagger UI, which includes its own React and is loaded only here. */
export function SwaggerPanel({ document, onReady, onFail }: SwaggerPanelProps) {
  const host = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const domNode = window.document.createElement('div');
    host.current?.append(domNode);
    const stopMending = watchAccess(domNode);
    let gone = false;
    const show = async () => {
      const { default: SwaggerUI } = await import('swagger-ui-dist/swagger-ui-es-bundle.js');
      if (gone) return;
      const system = SwaggerUI({
        domNode,
        spec: document,
        layout: 'ReferenceLayout',
        deepLinking: true,
        displayRequestDuration: true,
        docExpansion: 'list',
        // The key is not stored, because a till's key must not end up in a browser's storage.
        persistAuthorization: false,
        plugins: [referencePlugin],
        syntaxHighlight: { activated: true, theme: 'nord' },
        validatorUrl: null,
        requestInterceptor: (request) => withFreshIds(document, toThisOrigin(request)),
        onComplete: () => onReady(system),
      });
    };
    show().catch(onFail);
    return () => {
      gone = true;
      stopMending();
      domNode.remove();
    };
  }, [document, onReady, onFail]);

  return <div ref={host} />;
}
