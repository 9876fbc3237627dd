import type { Language } from '../kernel/context';
import type { DeviceCookie } from '../kernel/device-marks';

/** The browser that a request about a person's account comes from. */
export interface Browser {
  /** The client's network address. */
  client: string;
  userAgent: string;
  /** The language of the browser's user. */
  language: Language;
  /** The cookie that remembers who signed in here before (`devices.ts`). */
  device: DeviceCookie;
}

/** In this order, because most browsers also name those that they descend from. */
const programs: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the program and system of a browser, such as `Chrome · Windows`; empty if neither is known. */
export function describeUserAgent(userAgent: string): string {
  const named = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [named(programs), named(systems)].filter(Boolean).join(' · ');
}
