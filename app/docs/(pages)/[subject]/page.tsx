import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { GuidePage } from '@/components/docs/guide-page';
import { findGuide, nextGuide } from '@/server/docs/guides';
import { guideHref } from '@/server/docs/links';
import { headingsOf } from '@/server/docs/sections';
import { site } from '../site';

interface Props {
  params: Promise<{ subject: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const guide = findGuide((await params).subject);
  return guide ? { title: guide.title, description: guide.summary } : {};
}

export default async function Subject({ params }: Props) {
  const guide = findGuide((await params).subject);
  if (!guide) notFound();
  const next = nextGuide(guide);
  return (
    <GuidePage
      text={guide.text}
      site={site}
      headings={headingsOf(guide.text)}
      next={next && { href: guideHref(next.name), title: next.title }}
    />
  );
}
