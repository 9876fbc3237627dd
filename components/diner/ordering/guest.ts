/** This phone at a table, and its diner's name: who ordered what, and who paid. */
import { useState } from 'react';
import { randomId } from '../random-id';
import { cleanNote } from './cart/cart';

export interface Guest {
  /** Drawn for this table. The service tells it to no other phone, so nobody can pose as this one. */
  guestId: string;
  /** Empty if not given. Kept for every restaurant. */
  guestName: string;
}

/** For browsers that deny storage. */
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {}
}

export function readGuest(token: string): Guest {
  const key = `guest:${token}`;
  const guestId = read(key) ?? randomId();
  write(key, guestId);
  return { guestId, guestName: read('guest-name')?.trim() ?? '' };
}

export const maxGuestName = 40;

/** The diner's name, to be edited. For what is rendered in the browser only. */
export function useGuestName(): [name: string, save: (name: string) => void] {
  const [name, setName] = useState(() => read('guest-name') ?? '');
  const save = (changed: string) => {
    // The service takes a name in one line.
    const cleaned = cleanNote(changed, maxGuestName).replace(/\p{Cc}/gu, '');
    setName(cleaned);
    write('guest-name', cleaned);
  };
  return [name, save];
}
