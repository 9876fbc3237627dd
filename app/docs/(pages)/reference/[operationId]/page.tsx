import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { OperationPage } from '@/components/docs/operation-page';
import { errorHref, guideHref, guidesAbout } from '@/server/docs/links';
import { findOperation } from '@/server/docs/operations';
import { samplesOf } from '@/server/docs/samples';
import { sampleTarget } from '../../site';

interface Props {
  params: Promise<{ operationId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const operation = findOperation((await params).operationId);
  return operation ? { title: operation.summary, description: `${operation.method} ${operation.path}` } : {};
}

export default async function OperationReference({ params }: Props) {
  const operation = findOperation((await params).operationId);
  if (!operation) notFound();
  const guides = guidesAbout(operation).map(({ name, title }) => ({ href: guideHref(name), title }));
  const samples = samplesOf(operation, sampleTarget());
  return <OperationPage operation={operation} samples={samples} guides={guides} errorHref={errorHref} />;
}
