import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** What the proof needs of a browser, in the words of W3C WebDriver, which both engines speak. */
export interface Driver {
  /** Name and version, such as `Firefox 153.8.0`. */
  name: string;
  navigate(url: string): Promise<void>;
  /** Runs the body of a function in the page. Returns its value, as JSON. */
  execute<Value>(script: string, args?: unknown[]): Promise<Value>;
  /** Performs input actions, as `POST /session/{id}/actions`. */
  perform(actions: object[]): Promise<void>;
  /** Makes the page that wide, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** PNG in base64. */
  screenshot(): Promise<string>;
  forgetCookies(): Promise<void>;
  /** Errors and warnings of our pages on the console since the last call. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
}

/** Waits until `find` returns something. `what` names it if it never does. */
export async function until<Value>(what: string, find: () => Promise<Value | null>, seconds = 30): Promise<Value> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const found = await find();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`there is no ${what}`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}

/** A port that nothing uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Collects the lines of a process that match. Each call returns those since the last one. */
export function readLines(stream: NodeJS.ReadableStream, wanted: RegExp): () => string[] {
  let [rest, lines] = ['', [] as string[]];
  stream.on('data', (data) => {
    const parts = `${rest}${data}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.filter((line) => wanted.test(line)));
  });
  return () => {
    const seen = lines;
    lines = [];
    return seen;
  };
}
