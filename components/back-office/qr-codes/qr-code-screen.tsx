'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { ExternalLink, Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Facts } from '../../ui/facts';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { usePlace } from '../office/place';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { useChange } from '../state/use-change';
import { CodeImage } from './code-image';
import { CodeOrders } from './code-orders';
import { CodeState } from './code-state';
import type { TableCode } from './types';
import { Unserved } from './unserved';

/** One QR code, and the orders placed with it. */
export function QrCodeScreen({ qrCodeId }: { qrCodeId: string }) {
  const t = useTranslations('qrCodes');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.qrCodes.get.queryOptions({ qrCodeId }));
  if (data) return <OneCode code={data} />;
  return (
    <>
      <PageHeader title={t('title')} back={{ href: '/qr-codes', label: t('title') }} />
      <Waiting error={error} refetch={refetch} />
    </>
  );
}

function OneCode({ code }: { code: TableCode }) {
  const t = useTranslations('qrCodes');
  const place = usePlace();
  const [isClosing, setClosing] = useState(false);
  const { qrCodeId, table, billId, status, store, scan } = code;
  return (
    <>
      <PageHeader
        back={{ href: `/qr-codes?store=${store.id}`, label: t('title') }}
        title={place(code)}
        badge={<CodeState status={status} />}
        description={table === null ? store.name : `${t('billName', { billId })} · ${store.name}`}
        actions={
          scan ? (
            <>
              <ButtonLink variant="secondary" href={`/qr-codes/print?store=${store.id}&code=${qrCodeId}`}>
                <Printer className="size-4" aria-hidden="true" />
                {t('printCard')}
              </ButtonLink>
              <Button variant="danger" onClick={() => setClosing(true)}>
                {t('close')}
              </Button>
            </>
          ) : null
        }
      />
      <div className="grid items-start gap-5 lg:grid-cols-[1fr_22rem]">
        <CodeOrders code={code} />
        <div className="flex flex-col gap-5 max-lg:order-first">
          <Scan code={code} />
          <CodeFacts code={code} />
        </div>
      </div>
      {isClosing ? <CloseDialog code={code} onEnd={() => setClosing(false)} /> : null}
    </>
  );
}

function Scan({ code }: { code: TableCode }) {
  const t = useTranslations('qrCodes');
  const place = usePlace();
  if (!code.scan) return <p className="rounded-2xl bg-tint px-5 py-4 text-sm">{t('closedText')}</p>;
  const { url, imageSvg } = code.scan;
  return (
    <Section title={t('scan')}>
      <CodeImage
        svg={imageSvg}
        alt={t('codeOf', { place: place(code) })}
        className="mx-auto aspect-square w-full max-w-64 rounded-lg"
      />
      <p className="mt-4 text-center">
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-9 items-center gap-2 rounded-lg px-3.5 text-sm font-medium hover:bg-tint"
        >
          <ExternalLink className="size-4" aria-hidden="true" />
          {t('openPage')}
        </a>
      </p>
    </Section>
  );
}

function CodeFacts({ code }: { code: TableCode }) {
  const t = useTranslations('qrCodes');
  const format = useFormat();
  const { invalidatedAt, createdAt, expiresAt, guests } = code;
  return (
    <Facts
      items={[
        { term: t('opened'), value: format.dateTime(createdAt) },
        invalidatedAt
          ? { term: t('closed'), value: format.dateTime(invalidatedAt) }
          : { term: t('openUntil'), value: format.dateTime(expiresAt) },
        ...(guests === null ? [] : [{ term: t('guests'), value: format.number(guests) }]),
      ]}
    />
  );
}

function CloseDialog({ code, onEnd }: { code: TableCode; onEnd: () => void }) {
  const t = useTranslations('qrCodes');
  const trpc = useTRPC();
  const { toast, settle } = useChange('qrCodes');
  const place = usePlace()(code);
  const close = useMutation(
    trpc.qrCodes.invalidateSeveral.mutationOptions({
      ...settle,
      onSuccess: () => toast.done(t('closedToast', { place })),
    }),
  );
  return (
    <ConfirmDialog
      open
      isDangerous
      title={t('closeTitle', { place })}
      confirmLabel={t('close')}
      onCancel={onEnd}
      onConfirm={() => {
        close.mutate({ qrCodeIds: [code.qrCodeId] });
        onEnd();
      }}
    >
      <p>{t('closeText')}</p>
      <Unserved {...code.unserved} />
    </ConfirmDialog>
  );
}
