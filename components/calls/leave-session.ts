/** Ends the session on this device. Returns false if that failed. */
export async function signOut(): Promise<boolean> {
  try {
    const csrfAnswer = await fetch('/api/auth/csrf');
    const { csrfToken } = (await csrfAnswer.json()) as { csrfToken: string };
    const answer = await fetch('/api/auth/signout', {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, callbackUrl: '/', json: 'true' }),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Makes new pages open with that merchant. Returns false if that failed. */
export async function switchMerchant(merchantId: string): Promise<boolean> {
  try {
    const answer = await fetch('/api/session/merchant', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchantId }),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
