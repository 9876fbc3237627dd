import { useTranslations } from 'next-intl';
import type { Profile } from '@/server/domain/identity/schemas';
import { useFormat } from '../state/format';

interface ProfileItem {
  term: string;
  /** Null if unknown. */
  text: string | null;
  /** Calls or writes to the customer. */
  href?: string;
}

/** Returns what to show of a profile, besides the name. */
export function useProfileItems() {
  const t = useTranslations('customers');
  const { calendarDate } = useFormat();
  return ({ phone, email, birthday }: Profile): ProfileItem[] => {
    const items = {
      phone: { term: t('phone'), text: phone, href: `tel:${phone}` },
      email: { term: t('email'), text: email, href: `mailto:${email}` },
      birthday: { term: t('birthday'), text: birthday && calendarDate(birthday) },
    } satisfies Record<Exclude<keyof Profile, 'givenName' | 'lastName'>, ProfileItem>;
    return Object.values(items);
  };
}
