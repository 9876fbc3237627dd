import type { RedemptionType } from '../bills';
import type { NoticeKind } from '../kernel/context';
import type { MessageLanguage } from './schemas';

/** Texts of a merchant's templates until they are edited. */
export const defaultBodies: Record<NoticeKind, Record<MessageLanguage, string>> = {
  'voucher-issued': {
    en: 'Hello {name}, {merchant} has a voucher for you: {voucher}. Your code is {code}, valid until {until}. Reply STOP to get no more messages.',
    zh: '{name}，您好！{merchant} 送您一张优惠券：{voucher}。券码：{code}，有效期：{until}。如不想再收到消息，请回复 STOP。',
    ja: '{name} 様、{merchant} からクーポン「{voucher}」をお届けします。コード：{code}、有効期限：{until}。配信停止は STOP とご返信ください。',
    ms: 'Hai {name}, {merchant} ada baucar untuk anda: {voucher}. Kod anda {code}, sah sehingga {until}. Balas STOP untuk berhenti menerima mesej.',
  },
  'value-expiring': {
    en: 'Hello {name}, this ends on {date} at {merchant}: {value}. We would love to see you before. Reply STOP to get no more messages.',
    zh: '{name}，您好！您在 {merchant} 的以下权益将于 {date} 到期：{value}。期待您的光临。如不想再收到消息，请回复 STOP。',
    ja: '{name} 様、{merchant} の次の特典は {date} に期限が切れます：{value}。ご来店をお待ちしております。配信停止は STOP とご返信ください。',
    ms: 'Hai {name}, yang berikut di {merchant} tamat pada {date}: {value}. Kami menanti kunjungan anda. Balas STOP untuk berhenti menerima mesej.',
  },
  'top-up-receipt': {
    en: 'Thank you, {name}. {amount} was added to your balance with {merchant}, of which {bonus} is a bonus. Balance after this top-up: {balance}.',
    zh: '{name}，谢谢您！您在 {merchant} 已充值 {amount}，其中赠送 {bonus}。充值后余额：{balance}。',
    ja: '{name} 様、ありがとうございます。{merchant} の残高に {amount}（うちボーナス {bonus}）をチャージしました。チャージ後の残高は {balance} です。',
    ms: 'Terima kasih, {name}. {amount} telah ditambah ke baki anda di {merchant}, termasuk bonus {bonus}. Baki selepas tambah nilai ini: {balance}.',
  },
  'bill-receipt': {
    en: 'Thank you, {name}. Your bill at {merchant} on {date}: {items}. Total: {total}. Paid on phones: {paid}.',
    zh: '{name}，谢谢您！您 {date} 在 {merchant} 的账单：{items}。合计：{total}。手机支付：{paid}。',
    ja: '{name} 様、ありがとうございます。{date}、{merchant} でのお会計：{items}。合計：{total}。スマートフォンでのお支払い：{paid}。',
    ms: 'Terima kasih, {name}. Bil anda di {merchant} pada {date}: {items}. Jumlah: {total}. Dibayar melalui telefon: {paid}.',
  },
};

/** How a bill was paid. */
export const paidTexts: Record<MessageLanguage, Record<RedemptionType | 'card' | 'nothing', string>> = {
  en: {
    ...{ redeemStoredValue: 'stored value', redeemVoucher: 'voucher', redeemPoints: 'points' },
    ...{ card: 'card', nothing: 'nothing yet' },
  },
  zh: {
    ...{ redeemStoredValue: '储值', redeemVoucher: '优惠券', redeemPoints: '积分' },
    ...{ card: '银行卡', nothing: '尚未支付' },
  },
  ja: {
    ...{ redeemStoredValue: 'チャージ残高', redeemVoucher: 'クーポン', redeemPoints: 'ポイント' },
    ...{ card: 'カード', nothing: 'なし' },
  },
  ms: {
    ...{ redeemStoredValue: 'nilai tersimpan', redeemVoucher: 'baucar', redeemPoints: 'mata' },
    ...{ card: 'kad', nothing: 'belum ada' },
  },
};

/** The likely name of the messenger's template. */
export const defaultName = (kind: NoticeKind): string => kind.replaceAll('-', '_');

/** Replaces the date of something that never expires. */
export const neverExpiresText: Record<MessageLanguage, string> = {
  en: 'further notice',
  zh: '长期有效',
  ja: 'なし',
  ms: 'diberitahu kelak',
};
