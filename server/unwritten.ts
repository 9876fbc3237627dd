import type pino from 'pino';

/** How pino's destination keeps its lines: the text that it writes or failed to write, and those after it. */
interface Lines {
  _writing: boolean;
  _writingBuf: string | Buffer;
  _bufs: string[];
}

/** What a destination has not begun to write. */
export function unwritten(output: ReturnType<typeof pino.destination>): Buffer {
  const { _writing, _writingBuf, _bufs } = output as unknown as Lines;
  const texts = _writing ? _bufs : [_writingBuf, ..._bufs];
  return Buffer.concat(texts.map((text) => Buffer.from(text)));
}
