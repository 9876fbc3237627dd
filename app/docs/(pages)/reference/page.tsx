import type { Metadata } from 'next';
import { OperationList } from '@/components/docs/operation-list';
import { operationHref } from '@/server/docs/links';
import { operationGroups } from '@/server/docs/operations';

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every operation for a point of sale, with its fields, errors and samples.',
};

export default function ReferencePage() {
  return <OperationList groups={operationGroups} hrefOf={operationHref} />;
}
