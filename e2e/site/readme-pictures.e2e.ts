import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures/test';
import { readmePictures } from '../readme-pictures';

test('the screens of the README’s pictures are there', async ({ demo, page }) => {
  const pictures = readmePictures(demo, demo.origin);
  const shown = [...readFileSync('README.md', 'utf8').matchAll(/docs\/images\/([\w-]+\.png)/g)].map(([, name]) => name);
  // One is put together from two.
  expect(shown.filter((name) => name !== 'overview.png').sort()).toEqual(
    Object.keys(pictures)
      .filter((name) => name !== 'overview-docs.png')
      .sort(),
  );
  for (const { viewport, open } of Object.values(pictures)) {
    await page.setViewportSize(viewport);
    await open(page);
  }
});
