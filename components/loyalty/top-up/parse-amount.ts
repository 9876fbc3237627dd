/**
 * An amount as people type it, in minor units: with a point or a comma before its decimals, with thousands apart or not.
 * Null for what is no amount.
 */
export function parseAmount(text: string, digits: number): number | null {
  const plain = text.normalize('NFKC').replace(/[\s']/g, '');
  const grouped = (digits < 3 && /^\d{1,3}([,.]\d{3})+$/.test(plain)) || /^\d{1,3}(,\d{3})+\.\d+$/.test(plain);
  const decimal = grouped ? plain.replace(/[,.](?=\d{3}(\D|$))/g, '') : plain.replace(',', '.');
  const pattern = digits > 0 ? new RegExp(`^\\d{1,9}(\\.\\d{1,${digits}})?$`) : /^\d{1,9}$/;
  return pattern.test(decimal) ? Math.round(Number(decimal) * 10 ** digits) : null;
}
