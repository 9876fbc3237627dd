import type { RedemptionType } from '../bills';
import type { NoticeKind } from '../kernel/context';
import { withEnglish } from '../kernel/texts';
import type { MessageLanguage } from './schemas';
import enNotices from './words/en/notices.json' with { type: 'json' };
import enTemplates from './words/en/templates.json' with { type: 'json' };
import jaNotices from './words/ja/notices.json' with { type: 'json' };
import jaTemplates from './words/ja/templates.json' with { type: 'json' };
import msNotices from './words/ms/notices.json' with { type: 'json' };
import msTemplates from './words/ms/templates.json' with { type: 'json' };
import zhNotices from './words/zh/notices.json' with { type: 'json' };
import zhTemplates from './words/zh/templates.json' with { type: 'json' };

/** Texts of a merchant's templates until they are edited. */
export const defaultBodies: Record<MessageLanguage, Record<NoticeKind, string>> = withEnglish(enTemplates, {
  zh: zhTemplates,
  ja: jaTemplates,
  ms: msTemplates,
});

/** How a bill was paid, and what replaces the date of something that never expires. */
type NoticeWord = RedemptionType | 'card' | 'nothing' | 'neverExpires' | 'points' | 'nameless';
/** What fills gaps of templates. */
export const noticeWords: Record<MessageLanguage, Record<NoticeWord, string>> = withEnglish(enNotices, {
  zh: zhNotices,
  ja: jaNotices,
  ms: msNotices,
});

/** The likely name of the messenger's template. */
export const defaultName = (kind: NoticeKind): string => kind.replaceAll('-', '_');
