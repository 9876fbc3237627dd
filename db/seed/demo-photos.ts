/** Drawn pictures of the demo's dishes, in place of a merchant's photos. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';

type Shape = 'toast' | 'bowl' | 'plate' | 'cup' | 'glass' | 'ice' | 'cake';

/** A dish's shape, and the colours of the dish, of its filling or topping, and of the table. */
type Look = [shape: Shape, main: string, detail: string, table: string];

/** By PLU. Dishes that are not listed have no photo, as on many menus. */
const demoLooks: Record<string, Look> = {
  T001: ['toast', '#c98b4b', '#7fa650', '#f3e6d0'],
  T002: ['toast', '#b97a3d', '#f2b632', '#dfe9dc'],
  T003: ['toast', '#d9a04e', '#6f9a48', '#f6ddc8'],
  T004: ['toast', '#c58746', '#8a5a2b', '#e9e2d4'],
  T006: ['toast', '#cf9550', '#f0c24a', '#e3ead9'],
  N001: ['bowl', '#e0833f', '#f6e3b0', '#dcebe4'],
  N002: ['bowl', '#c9642f', '#f1d9a5', '#f4e7d3'],
  N003: ['plate', '#e3d3a8', '#5d9150', '#e6efe0'],
  N004: ['plate', '#e9d6a2', '#d8a25a', '#f2dfd3'],
  N006: ['bowl', '#d08a2c', '#8e4a1f', '#e5e9dc'],
  D001: ['cup', '#6b4226', '#a8754a', '#ece3d6'],
  D002: ['cup', '#33200f', '#5a3a1e', '#e2e8dd'],
  D004: ['cup', '#c07f46', '#e8c9a0', '#f3e4d6'],
  D005: ['glass', '#7a4c2a', '#4a2c16', '#e0ebe6'],
  D006: ['glass', '#c6d96a', '#7fa032', '#f1eedc'],
  D008: ['glass', '#b8642a', '#e8c84a', '#e4ece0'],
  S001: ['ice', '#ece4d2', '#4f9a58', '#f2e3da'],
  S002: ['ice', '#f6d7de', '#c8405e', '#e2ebe4'],
  S003: ['cake', '#a9c46a', '#7d9c45', '#f4e9d6'],
  R001: ['bowl', '#8a4f23', '#f0d9a0', '#e8ece2'],
  R002: ['bowl', '#efe0ae', '#f7ecc8', '#dfe8ea'],
  R003: ['bowl', '#c2792f', '#f1d692', '#f1e5d5'],
  A001: ['plate', '#e9cf96', '#b98540', '#e3ebe4'],
};

const shapes: Record<Shape, (main: string, detail: string) => string> = {
  toast: (main, detail) => `
    <ellipse cx="320" cy="350" rx="250" ry="190" fill="#fbfaf6"/>
    <rect x="150" y="230" width="340" height="96" rx="26" fill="${main}" transform="rotate(-8 320 280)"/>
    <rect x="160" y="312" width="320" height="30" rx="12" fill="${detail}" transform="rotate(-8 320 330)"/>
    <rect x="150" y="336" width="340" height="96" rx="26" fill="${main}" transform="rotate(-8 320 380)"/>`,
  bowl: (main, detail) => `
    <circle cx="320" cy="330" r="240" fill="#fbfaf6"/><circle cx="320" cy="330" r="196" fill="${main}"/>
    ${[0, 1, 2, 3].map((at) => `<path d="M${165 + at * 8} ${270 + at * 42}q72-60 144 0t144 0" stroke="${detail}" stroke-width="20" fill="none" stroke-linecap="round"/>`).join('')}
    <circle cx="400" cy="240" r="46" fill="#fff8e8"/><circle cx="400" cy="240" r="22" fill="#f0a832"/>
    <path d="m210 390 60-30m-40 60 60-30" stroke="#4f8a48" stroke-width="16" stroke-linecap="round"/>`,
  plate: (main, detail) => `
    <circle cx="320" cy="330" r="245" fill="#fbfaf6"/><circle cx="320" cy="330" r="190" fill="#f1eee4"/>
    <path d="M200 350a110 100 0 0 1 220 0z" fill="${main}"/><rect x="190" y="346" width="240" height="60" rx="30" fill="${detail}"/>
    <circle cx="440" cy="270" r="34" fill="#c23b22"/><path d="m230 440h90" stroke="#5d9150" stroke-width="18" stroke-linecap="round"/>`,
  cup: (main, detail) => `
    <ellipse cx="320" cy="430" rx="230" ry="90" fill="#fbfaf6"/>
    <path d="M180 220h280v110a140 130 0 0 1-280 0z" fill="#ffffff"/><path d="M460 250h40a40 40 0 0 1 0 100h-50" stroke="#fff" stroke-width="24" fill="none"/>
    <ellipse cx="320" cy="222" rx="140" ry="42" fill="${main}"/><ellipse cx="320" cy="218" rx="80" ry="20" fill="${detail}"/>`,
  glass: (main, detail) => `
    <path d="M210 150h220l-28 370h-164z" fill="#ffffffb0"/><path d="M218 240h204l-22 266h-160z" fill="${main}"/>
    <rect x="250" y="270" width="56" height="56" rx="10" fill="#ffffff90" transform="rotate(12 278 298)"/>
    <rect x="330" y="300" width="56" height="56" rx="10" fill="#ffffff90" transform="rotate(-10 358 328)"/>
    <circle cx="412" cy="176" r="52" fill="${detail}"/><path d="m350 110-24 300" stroke="#0e573b" stroke-width="14" stroke-linecap="round"/>`,
  ice: (main, detail) => `
    <path d="M180 330q10-190 140-190t140 190z" fill="${main}"/><path d="M226 230q20 40 50 20t46 30 60-20" stroke="${detail}" stroke-width="22" fill="none" stroke-linecap="round"/>
    <path d="M130 330h380q-10 170-190 170t-190-170z" fill="#fbfaf6"/><circle cx="330" cy="150" r="26" fill="${detail}"/>`,
  cake: (main, detail) => `
    <ellipse cx="320" cy="420" rx="240" ry="110" fill="#fbfaf6"/>
    <path d="m150 340 330-90v90l-330 100z" fill="${main}"/><path d="m150 340 330-90-80-40-250 130z" fill="${detail}"/>`,
};

interface Photo {
  hash: Buffer;
  /** WebP, as the menu's photos are kept. */
  small: Buffer;
  large: Buffer;
}

// Blocks SVG again after drawing, if the menu had blocked it: uploads may never be SVG.
const drawings = { operation: ['VipsForeignLoadSvgBuffer'] };

/** Draws the photos of these dishes, by PLU; skips dishes without one. */
export async function drawPhotos(plus: string[]): Promise<Map<string, Photo>> {
  const photos = new Map<string, Photo>();
  sharp.unblock(drawings);
  for (const plu of plus) {
    const look = demoLooks[plu];
    if (look) photos.set(plu, await draw(look));
  }
  sharp.block(drawings);
  return photos;
}

async function draw([shape, main, detail, table]: Look): Promise<Photo> {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640" viewBox="0 0 640 640">
    <rect width="640" height="640" fill="${table}"/>${shapes[shape](main, detail)}</svg>`);
  const square = (edge: number) => sharp(svg).resize(edge, edge).webp({ quality: 80 }).toBuffer();
  return { hash: createHash('sha256').update(svg).digest(), small: await square(160), large: await square(640) };
}
