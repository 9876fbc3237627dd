/** What receipt printers can print: the characters of their code page, and the width of each in columns. */

export interface Printer {
  /** Replaces what printers lack by similar characters: no-break spaces, typographic signs, accents. */
  print(text: string): string;
  canPrint(text: string): boolean;
  width(text: string): number;
  /** Cuts the text to at most `columns`, between characters. */
  clip(text: string, columns: number): string;
}

interface CodePage {
  /** The printable characters besides ASCII. */
  letters: RegExp;
  /** Characters that take two columns. */
  wide: RegExp;
  /** Signs that Unicode has twice, mapped to the one on the page. */
  signs: Record<string, string>;
}

/** Western pages: ASCII, and the marks and signs that code pages 437 and 858 share. */
const western: CodePage = {
  letters: /[ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ£¥áíóúñÑªº¿¬½¼¡«»°±²·µß÷]/,
  wide: /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[^\p{ASCII}]{2}/u,
  signs: {},
};
/** GB18030, whose printers use two columns for each character beyond ASCII. */
const chinese: CodePage = { letters: /[^\p{ASCII}\p{Cf}]/u, wide: /[^\p{ASCII}]/u, signs: { '¥': '￥' } };
/** Code page 932, whose half-width katakana use one column. */
const japanese: CodePage = {
  letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff9f￥ー・]/u,
  wide: /[^\p{ASCII}\uff61-\uff9f]/u,
  signs: { '¥': '￥', '·': '・' },
};
const pages = new Map([
  ['zh', chinese],
  ['ja', japanese],
]);

/** True for printable ASCII, which every printer has, in one column for each character. Most texts are. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Returns the printer of merchants with a language (ISO 639). */
export function printerOf(language: string): Printer {
  const { letters, wide, signs } = pages.get(language) ?? western;
  const isPrintable = (char: string) => isPlain(char) || letters.test(char);
  const widthOf = (char: string) => (wide.test(char) || char.length > 1 ? 2 : 1);
  return {
    print: (text) =>
      isPlain(text)
        ? text
        : Array.from(plainSigns(text, signs), (char) => (isPrintable(char) ? char : inAscii(char))).join(''),
    canPrint: (text) => isPlain(text) || Array.from(text).every(isPrintable),
    width: (text) => (isPlain(text) ? text.length : Array.from(text).reduce((sum, char) => sum + widthOf(char), 0)),
    clip: (text, columns) => {
      if (isPlain(text)) return text.slice(0, columns);
      let left = columns;
      let out = '';
      for (const char of text) {
        left -= widthOf(char);
        if (left < 0) break;
        out += char;
      }
      return out;
    },
  };
}

const plainSigns = (text: string, signs: CodePage['signs']): string =>
  text
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[¥·]/g, (sign) => signs[sign] ?? sign);

/** Returns a letter without its accent, or the character itself if it has none. */
function inAscii(char: string): string {
  const plain = char.normalize('NFKD').replace(/\p{M}/gu, '').replace('\u2044', '/');
  return /^[ -~]+$/.test(plain) ? plain : char;
}
