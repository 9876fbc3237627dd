/** Returns the path of the table's page, which that page stored; null if the diner came from none. */
export function pathOfTable(merchantId: string): string | null {
  try {
    const address = localStorage.getItem(`table:${merchantId}`);
    return address && /^\/q\/[\w-]+(#bill)?$/.test(address) ? address : null;
  } catch {
    // Some browsers do not allow storage.
    return null;
  }
}

/** Returns the path of the table's bill if the diner came from its link. */
export const pathOfBill = (merchantId: string): string | null =>
  location.hash === '#bill' ? (pathOfTable(merchantId)?.replace(/(#bill)?$/, '#bill') ?? null) : null;

/** Leads a diner who came from the table's bill back to it. In this case it never resolves. */
export async function returnToBill(merchantId: string): Promise<void> {
  const path = pathOfBill(merchantId);
  if (path === null) return;
  location.replace(path);
  await new Promise<never>(() => {});
}
