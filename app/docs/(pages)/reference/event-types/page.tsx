import type { Metadata } from 'next';
import { EventTypeList } from '@/components/docs/event-type-list';
import { commonEventFields, eventTypes } from '@/server/docs/event-types';

export const metadata: Metadata = {
  title: 'Event types',
  description: 'Every type of event, with its fields and an example.',
};

export default function EventTypesPage() {
  return <EventTypeList eventTypes={eventTypes} commonFields={commonEventFields} />;
}
