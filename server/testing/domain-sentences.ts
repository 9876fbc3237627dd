/** Reads from the domain's source every sentence that people may see: refusals, and reasons why a field is invalid. */
import { readdirSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { parseAst } from 'vitest/node';

interface Node {
  type: string;
  [key: string]: unknown;
}

const domain = 'server/domain';
/** Calls whose last argument is shown to people. */
const speakers = new Set(['invalid', 'refuse', 'mismatch', 'addIssue', 'refine', 'regex']);
/** Stands for a value known only at run time. */
const someValue = '7';

/** Returns every sentence with its file. Fails on a sentence whose construction it can't read. */
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

/** `errors.ts` only passes others' sentences on, and diners get their own texts for refusals of `diners`. */
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

/** True if it passes on a sentence from elsewhere. */
const isPassedOn = ({ type, callee }: Node) =>
  ['Identifier', 'MemberExpression'].includes(type) || nameOf(callee) === 'sayWhy';

/** Returns a node's sentences: the message of an error, an issue or a rule. */
function said(node: Node): Node[] {
  const given = (node.arguments ?? []) as Node[];
  if (node.type === 'NewExpression') return nameOf(node.callee) === 'DomainError' ? given.slice(1, 2) : [];
  if (node.type === 'Property') return nameOf(node.key) === 'message' ? [node.value as Node] : [];
  if (node.type !== 'CallExpression') return [];
  const callee = node.callee as Node;
  const isSaid =
    speakers.has(nameOf(callee) as string) || (nameOf(callee) === 'add' && nameOf(callee.object) === 'issues');
  // `invalid` may have details as its last argument.
  const last = nameOf(callee) === 'invalid' ? given.slice(1, 2) : given.slice(-1);
  return isSaid ? last.filter(({ type }) => type !== 'ObjectExpression') : [];
}

/** Reads every text that an expression can result in; null if the source does not determine it. */
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
