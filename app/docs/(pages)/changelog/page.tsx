import type { Metadata } from 'next';
import { GuidePage } from '@/components/docs/guide-page';
import { changelog } from '@/server/docs/guides';
import { headingsOf } from '@/server/docs/sections';
import { site } from '../site';

export const metadata: Metadata = { title: 'Changelog', description: 'Notable changes of each release.' };

export default function ChangelogPage() {
  return <GuidePage text={changelog} site={site} headings={headingsOf(changelog)} />;
}
