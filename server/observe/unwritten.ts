import type pino from 'pino';

/** How pino's destination keeps its lines: the text it is writing or failed to write, and those after it. */
interface DestinationState {
  _writing: boolean;
  _writingBuf: string | Buffer;
  _bufs: string[];
}

/** Returns the lines that a destination has not begun to write. */
export function readUnwritten(output: ReturnType<typeof pino.destination>): Buffer {
  const { _writing, _writingBuf, _bufs } = output as unknown as DestinationState;
  const texts = _writing ? _bufs : [_writingBuf, ..._bufs];
  return Buffer.concat(texts.map((text) => Buffer.from(text)));
}
