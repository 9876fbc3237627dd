import { useTranslations } from 'next-intl';
import { CodeBlock } from '@/components/ui/code-block';

/** A key or a link to copy. */
export function CopyBlock({ title, value }: { title: string; value: string }) {
  const t = useTranslations('common');
  const words = { idle: t('copy'), copied: t('copied'), failed: t('copyFailed') };
  return (
    <CodeBlock title={title} copy={{ text: value, words }}>
      {value}
    </CodeBlock>
  );
}
