/**
 * The payment that this phone has started on the table's bill, kept until its outcome is known, because Stripe's page
 * replaces ours.
 */
const keyOf = (token: string) => `bill:paying:${token}`;

export function keepPayment(token: string, paymentId: string): void {
  try {
    localStorage.setItem(keyOf(token), JSON.stringify({ paymentId, seenAt: Date.now() }));
  } catch {}
}

export function readPayment(token: string): string | null {
  try {
    const { paymentId } = JSON.parse(localStorage.getItem(keyOf(token)) ?? '{}');
    return typeof paymentId === 'string' ? paymentId : null;
  } catch {
    return null;
  }
}

export function forgetPayment(token: string): void {
  try {
    localStorage.removeItem(keyOf(token));
  } catch {}
}
