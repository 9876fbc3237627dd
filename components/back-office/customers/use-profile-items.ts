import { useTranslations } from 'next-intl';
import type { Profile } from '@/server/domain/identity/schemas';
import { useFormat } from '../state/format';

interface ProfileItem {
  term: string;
  /** Null if unknown. */
  text: string | null;
  /** A link to call or write to the customer. */
  href?: string;
}

/** Returns the parts of a profile to show besides the name. */
export function useProfileItems() {
  const t = useTranslations('customers');
  const { birthdayText } = useFormat();
  return ({ phone, email, birthday, tags }: Profile): ProfileItem[] => {
    const items = {
      phone: { term: t('phone'), text: phone, href: `tel:${phone}` },
      email: { term: t('email'), text: email, href: `mailto:${email}` },
      birthday: { term: t('birthday'), text: birthday && birthdayText(birthday) },
      tags: { term: t('tags'), text: tags.join(', ') || null },
    } satisfies Record<Exclude<keyof Profile, 'givenName' | 'lastName'>, ProfileItem>;
    return Object.values(items);
  };
}
