/**
 * What texts look like in each encoding: how likely a character is, by the block of the code table that it is in. Without
 * such weights, Korean in EUC-KR is also valid GB18030.
 */
import type { Encoding } from './schemas';

/** Natural logarithms of probabilities. */
export type Weight = number;

/** A character as its bytes say it. `next` is -1 at the end of the text. */
interface Unit {
  width: 1 | 2 | 4;
  weight: Weight;
}

type DoubleByteEncoding = Extract<Encoding, 'gb18030' | 'big5' | 'shift_jis' | 'euc-kr'>;

/** The weight of one of `size` characters that together make `share` of all. */
const oneOf = (share: number, size: number): Weight => Math.log(share / size);
const never: Weight = -20;

const isBetween = (byte: number, from: number, to: number) => byte >= from && byte <= to;

/** Frequent characters of names, and of headings of such files. */
const frequent = {
  gb18030:
    '王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱江尹薛闫段雷侯龙史黎贺顾毛郝龚邵万覃武钱戴严莫孔向常伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂华文玉红建国志春梅海燕云飞鹏辉斌波宇浩凯健俊帆婷雪琳玲欣怡佳慧思雨晨子涵梓轩泽嘉姓名电话手机号码生日邮箱地址余额积分会员编备注性别男女客户卡储值消费门店类型日期状态',
  'euc-kr':
    '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지현영수경미은혜연희준호석재승원상동훈철태기용선아인나도건혁시예빈소율슬찬환규식광병종명옥숙순자춘복름화번생일메회포트잔액객휴대폰별여이메일전화번호',
  big5: '陳林黃張李王吳劉蔡楊許鄭謝郭洪曾邱廖賴徐周葉蘇莊江呂何羅高蕭潘朱簡鍾彭游詹胡施沈余趙盧梁顏柯孫魏翁戴范宋方鄧杜傅侯曹溫薛丁馬蔣唐卓藍馮姚石董紀歐程連古汪湯姜田康鄒白涂尤巫韓龔嚴袁黎金阮陸倪夏童邵柳錢志明淑美雅婷怡君家豪宗翰冠宇承恩欣佳玲麗華玉秀英文國建俊傑偉雄姓名電話手機號碼生日郵箱地址餘額積分會員編備註性別男女客戶卡儲值門市類型日期狀態',
  shift_jis:
    '佐藤鈴木高橋田中伊渡辺山本村小林加吉井松清斎崎森池阿部石前川岡長谷後近坂遠青福西太三原野竹金和内上今河宮工酒横大島平久保新古安永千葉岩菅丸増菊地東浩美子一郎二介樹翔真由香奈恵理沙咲陽菜結衣愛莉輝健拓也直人誠名氏姓住所電話番号携帯誕生日性別男女会員残高備考登録円店舗年月',
} satisfies Record<DoubleByteEncoding, string>;

/** The two-byte codes of an encoding's frequent characters. */
function findCodes(encoding: DoubleByteEncoding): Set<number> {
  const wanted = new Set(frequent[encoding]);
  const codes: number[] = [];
  const bytes: number[] = [];
  for (let code = 0x8140; code <= 0xf9fe; code += 1) {
    if (isBetween(code & 0xff, 0, 0x3f)) continue;
    codes.push(code);
    bytes.push(code >> 8, code & 0xff, 0x0a);
  }
  const characters = new TextDecoder(encoding).decode(Uint8Array.from(bytes)).split('\n');
  return new Set(codes.filter((_, at) => wanted.has(characters[at] ?? '')));
}

const codes = new Map<DoubleByteEncoding, Set<number>>();
function isFrequent(encoding: DoubleByteEncoding, lead: number, trail: number): boolean {
  const found = codes.get(encoding) ?? findCodes(encoding);
  codes.set(encoding, found);
  return found.has((lead << 8) | trail);
}

function weighGb18030(lead: number, trail: number): Weight {
  if (trail < 0xa1) return oneOf(0.004, 14_000);
  if (isFrequent('gb18030', lead, trail)) return oneOf(0.6, 230);
  if (isBetween(lead, 0xb0, 0xd7)) return oneOf(0.36, 3_500);
  if (isBetween(lead, 0xd8, 0xf7)) return oneOf(0.025, 3_008);
  return isBetween(lead, 0xa1, 0xa9) ? oneOf(0.01, 700) : never;
}

function weighEucKr(lead: number, trail: number): Weight {
  if (trail < 0xa1) return oneOf(0.004, 8_822);
  if (isFrequent('euc-kr', lead, trail)) return oneOf(0.7, 110);
  if (isBetween(lead, 0xb0, 0xc8)) return oneOf(0.27, 2_250);
  if (isBetween(lead, 0xca, 0xfd)) return oneOf(0.005, 4_888);
  return isBetween(lead, 0xa1, 0xac) ? oneOf(0.02, 986) : never;
}

function weighBig5(lead: number, trail: number): Weight {
  if (isFrequent('big5', lead, trail)) return oneOf(0.6, 230);
  if (isBetween(lead, 0xa4, 0xc6)) return oneOf(0.36, 5_200);
  if (isBetween(lead, 0xc9, 0xf9)) return oneOf(0.02, 7_652);
  return isBetween(lead, 0xa1, 0xa3) ? oneOf(0.01, 400) : never;
}

function weighShiftJis(lead: number, trail: number): Weight {
  if (lead === 0x81) return oneOf(0.02, 147);
  if (lead === 0x82) return trail >= 0x9f ? oneOf(0.25, 83) : oneOf(0.03, 62);
  if (lead === 0x83 && trail <= 0x96) return oneOf(0.2, 86);
  if (isFrequent('shift_jis', lead, trail)) return oneOf(0.22, 160);
  if (isBetween(lead, 0x88, 0x97) || (lead === 0x98 && trail <= 0x72)) return oneOf(0.12, 2_800);
  if (isBetween(lead, 0x98, 0x9f) || isBetween(lead, 0xe0, 0xea)) return oneOf(0.01, 3_390);
  return isBetween(lead, 0xf0, 0xf9) ? never : oneOf(0.002, 600);
}

const weighPair = {
  gb18030: weighGb18030,
  big5: weighBig5,
  shift_jis: weighShiftJis,
  'euc-kr': weighEucKr,
} satisfies Record<DoubleByteEncoding, (lead: number, trail: number) => Weight>;

/** Katakana of half width are single bytes. One follows the other. */
const halfWidth = { first: oneOf(0.1, 63), next: oneOf(0.95, 50) };

/** Returns the character that begins at `at`, a byte beyond ASCII of a text that is valid. */
export function unitAt(encoding: DoubleByteEncoding, bytes: Uint8Array, at: number): Unit {
  const lead = bytes[at] ?? 0;
  const trail = bytes[at + 1] ?? 0;
  const isHalfWidth = (byte: number) => isBetween(byte, 0xa1, 0xdf);
  if (encoding === 'shift_jis' && isHalfWidth(lead)) {
    return { width: 1, weight: isHalfWidth(bytes[at - 1] ?? 0) ? halfWidth.next : halfWidth.first };
  }
  if (encoding === 'gb18030' && isBetween(trail, 0x30, 0x39)) return { width: 4, weight: never };
  return { width: 2, weight: weighPair[encoding](lead, trail) };
}

/** The weight of a character of a text in UTF-8. Beyond ASCII, Latin letters stand within words. */
export function weighUnicode(character: string, isInWord: boolean): Weight {
  if (/\p{Script=Latin}/u.test(character)) return oneOf(isInWord ? 0.5 : 0.005, 150);
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return oneOf(0.2, 190);
  if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(character)) return oneOf(0.6, 25_000);
  return /\p{L}|\p{M}/u.test(character) ? oneOf(0.1, 300) : oneOf(0.01, 1_000);
}

/** The weight of a byte of Windows-1252: a letter stands within words, and a sign does not. */
export const weighLatin = (byte: number, isInWord: boolean): Weight =>
  byte >= 0xc0 ? oneOf(isInWord ? 0.85 : 0.01, 62) : oneOf(isInWord ? 0.01 : 0.1, 64);

const usualAscii = /[\w\s,;.@+/-]/;
const asciiWeights = Array.from({ length: 0x80 }, (_, byte) =>
  usualAscii.test(String.fromCharCode(byte)) ? oneOf(1, 40) : oneOf(0.05, 30),
);

/** The weight of a byte of ASCII that is no part of another character. */
export const weighAscii = (byte: number): Weight => asciiWeights[byte] ?? never;

/** The weight of a byte of an encoding that we do not know. */
export const weighUnknown = (byte: number): Weight => asciiWeights[byte] ?? oneOf(1, 128);
