import { minorDigits } from '../kernel/money';

/** The approximate value of a US dollar in currencies whose unit is worth less than five cents. */
const unitsPerDollar: Record<string, number> = {
  JPY: 100,
  INR: 100,
  PHP: 50,
  THB: 50,
  TWD: 50,
  RUB: 100,
  KRW: 1_000,
  CLP: 1_000,
  COP: 5_000,
  HUF: 500,
  IDR: 10_000,
  KHR: 5_000,
  LAK: 20_000,
  MMK: 5_000,
  VND: 20_000,
  LKR: 500,
  PKR: 500,
  NGN: 1_000,
};

/**
 * Returns a new merchant's limits, in minor units and points: a sale of about 5,000 dollars, the same for a customer in
 * a day, a tenth of that for card top-ups of a new customer, and twenty times that for a key, which gives sign-up vouchers to 300 new customers; about 1,000 dollars and 100 new customers for a cashier, and 100 dollars for
 * what staff do without a new proof of who they are. The owner can change them in the settings.
 */
export function defaultLimits(currency: string) {
  const largest = 5_000 * (unitsPerDollar[currency] ?? 1) * 10 ** minorDigits(currency);
  // A new merchant gives a point for each 100 minor units.
  const points = largest / 100;
  return {
    earningSaleLimit: largest,
    customerDailyPoints: points,
    customerDailyValue: largest,
    newCustomerDailyValue: largest / 10,
    keyDailyPoints: 20 * points,
    keyDailyValue: 20 * largest,
    keyDailySignUps: 300,
    confirmAbove: largest / 50,
    cashierDailyValue: largest / 5,
    cashierDailyEnrolments: 100,
  };
}
