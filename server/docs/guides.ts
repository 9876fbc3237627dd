/** The guides: the Markdown files of `docs/guides`, in the order of the navigation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Guide {
  /** Its file's name without `.md`, and the last part of its address. */
  name: string;
  title: string;
  summary: string;
  /** Markdown, with the title as its first line. */
  text: string;
}

export interface Chapter {
  title: string;
  guides: Guide[];
}

const outline: Record<string, Record<string, string>> = {
  'Start here': {
    'first-call': "From a key to a customer's balance in four requests.",
    bill: "Every call of a table's visit, in order.",
    'test-data': 'Customers, vouchers, packages and items of the sandbox.',
    'going-live': 'What to try first, and what changes in production.',
    'bring-your-business': 'From the files of another system to the first sale here.',
    questions: 'Tips, change, returns, promotions, CORS, PLUs, and whom to ask.',
  },
  Loyalty: {
    'stored-value': 'Packages, top-ups, redemptions, and top-ups begun on the phone.',
    vouchers: 'The four units, item vouchers, and vouchers that do not combine.',
    points: 'How sales earn points, and how points pay.',
    pin: 'When a PIN is needed, wrong tries, and new PINs.',
    voids: 'Undo transactions, take items back, and why a void is refused.',
  },
  Ordering: {
    'qr-ordering': 'Open a table, receive orders, close the table.',
    'open-bills': 'Send the open bill, see what is due, and close it.',
    'stock-outs': 'Mark items as sold out, and restore them.',
  },
  'Reliable tills': {
    retries: 'Three safe ways to go on when no response arrives.',
    offline: 'Send later what happened without a connection.',
    limits: 'Requests a second, and what a business limits.',
    errors: 'The shape of errors, what to do, and every code.',
  },
  'Keys and formats': {
    keys: 'Sandbox and production, stores, scopes, networks.',
    formats: 'JSON, money, times, customers, and changes within v1.',
  },
  'Events and libraries': {
    events: 'Read everything that changed, in order.',
    webhooks: 'Receive events, and verify who sent them.',
    'typescript-client': 'Types, retries and an offline queue.',
  },
};

const folder = join(process.cwd(), 'docs/guides');

function readGuide(name: string, summary: string): Guide {
  const text = readFileSync(join(folder, `${name}.md`), 'utf8');
  const title = /^# (.+)/.exec(text)?.[1];
  if (!title) throw new Error(`docs/guides/${name}.md does not begin with its title`);
  return { name, title, summary, text };
}

export const chapters: Chapter[] = Object.entries(outline).map(([title, guides]) => ({
  title,
  guides: Object.entries(guides).map(([name, summary]) => readGuide(name, summary)),
}));

export const guides: Guide[] = chapters.flatMap((chapter) => chapter.guides);

export const findGuide = (name: string): Guide | undefined => guides.find((guide) => guide.name === name);

export const nextGuide = (guide: Guide): Guide | undefined => guides[guides.indexOf(guide) + 1];

/** Notable changes of each release, as Markdown. */
export const changelog = readFileSync(join(process.cwd(), 'CHANGELOG.md'), 'utf8');
