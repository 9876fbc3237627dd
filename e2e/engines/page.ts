/** A page as a person uses it: by what can be seen, with a pointer and keys. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Driver, until } from './driver';

const selectors = {
  button: 'button, [role=button], summary',
  link: 'a[href]',
  radio: 'input[type=radio], [role=radio]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  switch: '[role=switch]',
  field: 'input:not([type=radio]):not([type=checkbox]), textarea',
  select: 'select',
  heading: 'h1, h2, h3',
  text: 'body *',
};
export type Kind = keyof typeof selectors;

/**
 * Finds what is on the screen by its name: in the topmost dialog, if there is one and it has it. Scrolls to it. Returns the
 * point to press; null if there is no such thing, or if something else lies over it.
 */
const findScript = `
  const [selector, pattern, kind, within, isPressed] = arguments;
  if (!document.body) return null;
  const wanted = new RegExp(pattern, 'i');
  const plain = (text) => (text || '').replace(/\\s+/g, ' ').trim();
  const referred = (e) => (e.getAttribute('aria-labelledby') || '').split(' ').filter(Boolean).map((id) => document.getElementById(id)?.textContent).join(' ');
  const labels = (e) => [...(e.labels || [])].map((label) => label.textContent).join(' ');
  const nameOf = (e) => plain(e.getAttribute('aria-label') || referred(e).trim() || labels(e) || e.textContent || e.placeholder || e.value);
  const isShown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('[inert], [aria-hidden=true]');
  const own = (e) => plain([...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(' '));
  const dialogs = [...document.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog]')].filter(isShown);
  const rows = (root) => within
    ? [...root.querySelectorAll('li, tr, article, section, [role=group], fieldset')].filter((e) => new RegExp(within, 'i').test(e.textContent)).reverse()
    : [root];
  for (const root of [...dialogs.reverse(), document.body].flatMap(rows)) {
    const found = [...root.querySelectorAll(selector)].filter(isShown)
      .find((e) => wanted.test(kind === 'text' ? own(e) : nameOf(e)));
    if (!found) continue;
    if (!isPressed) return [0, 0];
    const shown = found.matches('input[type=radio], input[type=checkbox]') && found.labels?.[0] ? found.labels[0] : found;
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { x, y, width, height } = shown.getBoundingClientRect();
    const point = [Math.round(x + width / 2), Math.round(y + height / 2)];
    const top = document.elementFromPoint(...point);
    const isBusy = found.disabled || found.ariaDisabled === 'true' || found.ariaBusy === 'true';
    if (isBusy || !top || !(shown.contains(top) || top.contains(shown))) return null;
    const before = window.lastPoint;
    window.lastPoint = [found.tagName, ...point].join();
    // What still moves is found again.
    const isMoving = document.getAnimations().some((one) => one.playState === 'running' && one.effect.target?.contains(found) && one.effect.getComputedTiming().iterations !== Infinity);
    if (isMoving || before !== window.lastPoint) return null;
    window.wasPressed = false;
    addEventListener('click', ({ target }) => { window.wasPressed = found.contains(target) || shown.contains(target); }, { capture: true, once: true });
    return point;
  }
  return null;`;

export interface Page {
  driver: Driver;
  open(path: string): Promise<void>;
  /** Waits for something of that name. */
  see(kind: Kind, name: string, within?: string): Promise<void>;
  press(kind: Kind, name: string, within?: string): Promise<void>;
  fill(name: string, text: string, within?: string): Promise<void>;
  /** Chooses an option of a native list by its text. */
  choose(name: string, option: string): Promise<void>;
  shot(name: string): Promise<void>;
}

/** `folder` gets the screenshots. */
export function openPage(driver: Driver, origin: string, folder: string): Page {
  mkdirSync(folder, { recursive: true });
  const find = (kind: Kind, name: string, within = '', isPressed = false) =>
    driver.execute<[number, number] | null>(findScript, [selectors[kind], name, kind, within, isPressed]);
  const shot = async (name: string) =>
    writeFileSync(join(folder, `${name}.png`), Buffer.from(await driver.screenshot(), 'base64'));
  const wait = async (kind: Kind, name: string, within?: string, isPressed = false) => {
    const what = `${kind} “${name}”${within ? ` in “${within}”` : ''}`;
    return until(what, () => find(kind, name, within, isPressed)).catch(async (error) => {
      await shot('failed');
      throw error;
    });
  };
  const type = async (text: string) => {
    const keys = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await driver.perform([{ type: 'key', id: 'keys', actions: keys }]);
  };
  const press = async (kind: Kind, name: string, within?: string, tries = 3): Promise<void> => {
    const [x, y] = await wait(kind, name, within, true);
    const actions = [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await driver.perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
    // False if the list has moved on meanwhile. A page that has changed knows nothing of it.
    const wasPressed = await driver.execute<boolean | null>('return window.wasPressed ?? null').catch(() => null);
    if (wasPressed === false && tries > 1) await press(kind, name, within, tries - 1);
  };
  return {
    driver,
    open: (path) => driver.navigate(new URL(path, origin).href),
    see: async (kind, name, within) => {
      await wait(kind, name, within);
    },
    press: (kind, name, within) => press(kind, name, within),
    fill: async (name, text, within) => {
      await press('field', name, within);
      await driver.execute('document.activeElement.select?.()');
      await type(text);
    },
    choose: async (name, option) => {
      await wait('select', name);
      await driver.execute(
        `const select = [...document.querySelectorAll('select')].find((e) => new RegExp(arguments[0], 'i').test([...e.labels].map((l) => l.textContent).join(' ') || e.getAttribute('aria-label')));
         const option = [...select.options].find((e) => e.textContent.includes(arguments[1]));
         Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, option.value);
         select.dispatchEvent(new Event('change', { bubbles: true }));`,
        [name, option],
      );
    },
    shot,
  };
}
