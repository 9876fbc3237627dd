import { keepLanguage } from '@/components/keep-language';
import { type DinerLanguage, dinerLanguages, languageCookie } from '../words';
import { useSpeech } from './table-context';

interface LanguageChoiceProps {
  language: DinerLanguage;
  /** Offline, the page can't reload, so the language can't change. */
  isOffline: boolean;
}

/** Switches the language: the page reloads, and the cart is kept. */
export function LanguageChoice({ language, isOffline }: LanguageChoiceProps) {
  const { words } = useSpeech();
  return (
    <select
      aria-label={words.language}
      value={language}
      disabled={isOffline}
      onChange={({ target }) => keepLanguage(languageCookie, target.value)}
      className="header-control noscript:hidden"
    >
      {Object.entries(dinerLanguages).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
