import { useTranslations } from 'next-intl';
import { useFormat } from '../state/format';
import type { TableCode } from './types';

/** The unserved orders of the tables that are about to be closed. */
export function Unserved({ count, total }: TableCode['unserved']) {
  const t = useTranslations('qrCodes');
  const { money } = useFormat();
  if (count === 0) return null;
  return <p className="mt-3 font-medium text-caution">{t('unserved', { count, total: money(total) })}</p>;
}
