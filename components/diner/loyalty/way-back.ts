/** Returns the path of the table's page, which that page stored; null where the diner came from none. */
export function pathOfTable(merchantId: string): string | null {
  try {
    const address = localStorage.getItem(`table:${merchantId}`);
    return address && /^\/q\/[\w-]+(#bill)?$/.test(address) ? address : null;
  } catch {
    // Some browsers do not allow storage.
    return null;
  }
}

/** Returns the path of the table's bill, if a link on it led to this page. */
export const pathOfBill = (merchantId: string): string | null =>
  location.hash === '#bill' ? (pathOfTable(merchantId)?.replace(/(#bill)?$/, '#bill') ?? null) : null;

/** Leads a diner who came from the table's bill back to it, and never resolves then. */
export async function returnToBill(merchantId: string): Promise<void> {
  const path = pathOfBill(merchantId);
  if (path === null) return;
  location.replace(path);
  await new Promise<never>(() => {});
}
