'use client';

import { useState } from 'react';
import { Button } from '../ui/button';

async function signOut(): Promise<boolean> {
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

export function SignOutButton() {
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');

  async function click() {
    setState('sending');
    // A full load, so that nothing of the session stays in the page's memory.
    if (await signOut()) window.location.assign('/');
    else setState('failed');
  }

  return (
    <>
      <span role="status" className="text-sm text-danger">
        {state === 'failed' ? 'Still signed in. Try again.' : ''}
      </span>
      <Button variant="secondary" size="small" busy={state === 'sending'} onClick={click}>
        Sign out
      </Button>
    </>
  );
}
