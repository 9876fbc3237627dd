/** What happens to a print: toner, folds, and cameras that are not held straight. The same each time. */
import type { PNG } from 'pngjs';

/** An image of one byte for each pixel: 0 is black. */
export interface Grey {
  width: number;
  height: number;
  data: Uint8Array;
}

const make = (width: number, height: number, valueAt: (x: number, y: number) => number): Grey => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, at) =>
    Math.max(0, Math.min(255, Math.round(valueAt(at % width, Math.floor(at / width))))),
  ),
});
const paper = 235;
const at = ({ width, height, data }: Grey, x: number, y: number): number =>
  x < 0 || y < 0 || x >= width || y >= height ? paper : (data[y * width + x] ?? paper);

/** The part of a sheet around a code, with an eighth of its width around it. `scale`: pixels for each CSS pixel. */
export function cut(sheet: PNG, box: { x: number; y: number; width: number }, scale: number): Grey {
  const [side, margin] = [box.width * scale, (box.width * scale) / 8];
  const [left, top] = [Math.round(box.x * scale - margin), Math.round(box.y * scale - margin)];
  const whole: Grey = {
    width: sheet.width,
    height: sheet.height,
    data: Uint8Array.from({ length: sheet.width * sheet.height }, (_, pixel) => sheet.data[pixel * 4] ?? 255),
  };
  const length = Math.round(side + 2 * margin);
  return make(length, length, (x, y) => at(whole, left + x, top + y));
}

/** As a phone's camera sees it from a hand's distance, at about 150 pixels for each inch. */
export function photographed(image: Grey, dpi: number): Grey {
  const by = Math.round(dpi / 150);
  return make(Math.floor(image.width / by), Math.floor(image.height / by), (x, y) => {
    let sum = 0;
    for (let dy = 0; dy < by; dy++) for (let dx = 0; dx < by; dx++) sum += at(image, x * by + dx, y * by + dy);
    return sum / by ** 2;
  });
}

/** Black is dark grey, white is grey. */
export const pale = (image: Grey): Grey =>
  make(image.width, image.height, (x, y) => 95 + (at(image, x, y) / 255) * 105);

/** Adds or takes up to `strength` of each pixel. */
export function noisy(image: Grey, strength: number): Grey {
  let state = 12_345;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return make(image.width, image.height, (x, y) => at(image, x, y) + (random() * 2 - 1) * strength);
}

/** Two folds, where the print has come off. */
export const creased = (image: Grey): Grey =>
  make(image.width, image.height, (x, y) => {
    const [first, second] = [x - image.width * 0.62 - y * 0.08, y - image.height * 0.41 + x * 0.05];
    const width = image.width / 200;
    return Math.abs(first) < width || Math.abs(second) < width ? 210 : at(image, x, y);
  });

export function turned(image: Grey, degrees: number): Grey {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const side = Math.ceil(image.width * (Math.abs(sine) + Math.abs(cosine)));
  const [middle, half] = [side / 2, image.width / 2];
  return make(side, side, (x, y) => {
    const [dx, dy] = [x - middle, y - middle];
    return mixed(image, cosine * dx + sine * dy + half, cosine * dy - sine * dx + half);
  });
}

/** The four pixels around a point, each by its share. */
function mixed(image: Grey, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, below] = [x - left, y - top];
  const upper = at(image, left, top) * (1 - right) + at(image, left + 1, top) * right;
  const lower = at(image, left, top + 1) * (1 - right) + at(image, left + 1, top + 1) * right;
  return upper * (1 - below) + lower * below;
}

/** Each pixel becomes the mean of those within `radius`. */
export function blurred(image: Grey, radius: number): Grey {
  const reach = Math.round(radius);
  const count = (2 * reach + 1) ** 2;
  return make(image.width, image.height, (x, y) => {
    let sum = 0;
    for (let dy = -reach; dy <= reach; dy++) for (let dx = -reach; dx <= reach; dx++) sum += at(image, x + dx, y + dy);
    return sum / count;
  });
}
