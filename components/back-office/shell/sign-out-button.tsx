'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { signOut } from '../../calls/leave-session';

/** For the page of a person without a merchant, which has no account menu. */
export function SignOutButton({ label, failure }: { label: string; failure: string }) {
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');
  async function click() {
    setState('sending');
    // A full page load, so that no data of the session stays in memory.
    if (await signOut()) window.location.assign('/');
    else setState('failed');
  }
  return (
    <>
      <Button variant="secondary" busy={state === 'sending'} onClick={click}>
        {label}
      </Button>
      <span role="status" className="self-center text-sm text-danger">
        {state === 'failed' ? failure : ''}
      </span>
    </>
  );
}
