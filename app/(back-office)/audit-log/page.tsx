import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AuditLogScreen } from '@/components/back-office/audit-log/audit-log-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auditLog'))('title') };
}

export default async function AuditLogPage() {
  await requireStaffSession();
  return <AuditLogScreen />;
}
