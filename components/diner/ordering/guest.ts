/** This phone at a table and its diner's name, which tell who ordered and paid. */
import { useState } from 'react';
import { randomId } from '../random-id';
import { cleanNote } from './cart/cart';

export interface Guest {
  /** Drawn for this table. The service tells it to no other phone, so no phone can pose as this one. */
  guestId: string;
  /** Empty if not given. Kept for all restaurants. */
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

/** The diner's name, to be edited. Only for parts that are rendered in the browser. */
export function useGuestName(): [name: string, save: (name: string) => void] {
  const [name, setName] = useState(() => read('guest-name') ?? '');
  const save = (changed: string) => {
    // The service accepts a name only in one line.
    const cleaned = cleanNote(changed, maxGuestName).replace(/\p{Cc}/gu, '');
    setName(cleaned);
    write('guest-name', cleaned);
  };
  return [name, save];
}
