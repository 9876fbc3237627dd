/** How a customer is named on screens. Pure: screens use it, too. */

export interface Named {
  givenName: string;
  lastName: string;
  phone?: string | null;
  email?: string | null;
}

/** Returns `+6591234567` as `+65••••4567`: enough to recognise, too little to use. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}••••${phone.slice(-4)}`;
}

/** The name as staff see it. Somebody without one is known by the phone number, masked, or the e-mail address. */
export function displayName({ givenName, lastName, phone, email }: Named): string {
  return `${givenName} ${lastName}`.trim() || (phone ? maskPhone(phone) : (email ?? ''));
}
