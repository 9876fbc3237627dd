/** What the domain says to people, read from its source: every refusal, and every reason why a field is wrong. */
import { readdirSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { parseAst } from 'vitest/node';

interface Node {
  type: string;
  [key: string]: unknown;
}

const domain = 'server/domain';
/** Calls that say their last argument. */
const speakers = new Set(['invalid', 'refuse', 'mismatch', 'addIssue', 'refine', 'regex']);
/** Stands for what only running would tell. */
const someValue = '7';

/** Every sentence, with the file that says it. Fails on one that is made up in a way that this can not read. */
export function domainSentences(): { file: string; sentence: string }[] {
  const files = readdirSync(domain, { recursive: true, encoding: 'utf8' });
  return files.filter(speaks).flatMap((file) => {
    const { code } = transformSync(readFileSync(`${domain}/${file}`, 'utf8'), { loader: 'ts', target: 'esnext' });
    const nodes = [...walk(parseAst(code))];
    const read = readerOf(nodes);
    return nodes.flatMap(said).flatMap((words) => {
      const sentences = read(words) ?? (isPassedOn(words) ? [] : null);
      if (!sentences) throw new Error(`${file} makes up a sentence by a ${words.type}`);
      return sentences.map((sentence) => ({ file, sentence }));
    });
  });
}

/** `errors.ts` only frames what others say; diners read their own words for what `diners` refuses. */
const others = /\.test\.ts$|^core\/errors\.ts$|^diners\//;
const speaks = (file: string) => file.endsWith('.ts') && !others.test(file);

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* walk(one);
  else if (value !== null && typeof value === 'object') {
    if ('type' in value) yield value as Node;
    for (const part of Object.values(value)) yield* walk(part);
  }
}

const nameOf = (node: unknown) =>
  (node as Node | undefined)?.name ?? (node as { property?: Node } | undefined)?.property?.name;

/** Whether it hands on what is said elsewhere. */
const isPassedOn = ({ type, callee }: Node) =>
  ['Identifier', 'MemberExpression'].includes(type) || nameOf(callee) === 'sayWhy';

/** What a node says: the message of an error, of an issue or of a rule. */
function said(node: Node): Node[] {
  const given = (node.arguments ?? []) as Node[];
  if (node.type === 'NewExpression') return nameOf(node.callee) === 'DomainError' ? given.slice(1, 2) : [];
  if (node.type === 'Property') return nameOf(node.key) === 'message' ? [node.value as Node] : [];
  if (node.type !== 'CallExpression') return [];
  const callee = node.callee as Node;
  const isSaid =
    speakers.has(nameOf(callee) as string) || (nameOf(callee) === 'add' && nameOf(callee.object) === 'issues');
  // Behind what it says, `invalid` may give the figures of it.
  const last = nameOf(callee) === 'invalid' ? given.slice(1, 2) : given.slice(-1);
  return isSaid ? last.filter(({ type }) => type !== 'ObjectExpression') : [];
}

/** Reads all that an expression can say; null where the source does not tell. */
function readerOf(nodes: Node[]) {
  const initials = (name: unknown) =>
    nodes.flatMap(({ type, id, init }) => (type === 'VariableDeclarator' && nameOf(id) === name ? [init as Node] : []));
  function read(node: Node): string[] | null {
    switch (node.type) {
      case 'Literal':
        return node.regex ? [] : [String(node.value)];
      case 'ConditionalExpression':
        return [node.consequent, node.alternate].flatMap((one) => read(one as Node) ?? [someValue]);
      case 'TemplateLiteral': {
        const [start = '', ...rest] = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
        const gaps = (node.expressions as Node[]).map((one) => read(one) ?? [someValue]);
        return rest.reduce(
          (all, text, at) => all.flatMap((one) => (gaps[at] ?? []).map((gap) => one + gap + text)),
          [start],
        );
      }
      case 'Identifier': {
        const texts = initials(node.name).flatMap((one) => (one && read(one)) ?? []);
        return texts.length > 0 ? texts : null;
      }
      default:
        return null;
    }
  }
  return read;
}
