import { type ParserOptions, parse } from '@babel/parser';
import * as t from '@babel/types';

/** A human-readable text and its position in a file. */
export interface Text {
  readonly type: 'comment' | 'string' | 'title' | 'prose' | 'name';
  /** Has the same length as the source text. Line breaks, comment markers, and expressions are replaced by spaces. */
  readonly value: string;
  /** Offset of the first character in the file, in UTF-16 code units. */
  readonly start: number;
}

const TITLED = new Set(['describe', 'it', 'test']);
const LABELS = /^(label|title|hint|placeholder|description|heading|alt|name|caption|text|action|aria-label)$/;
const IS_PROSE = /\p{L}{2,}[,;:]? +[\p{L}\d'"(]+/u;
const IS_SQL =
  /^\s*(select|insert into|update \w+|delete from|with \w+|create|alter|drop|set|grant|revoke|begin|commit|lock|copy|explain|values|truncate|from|where|and|or|order by|join|left join)\b/;
const MARKS = /^[ \t]*(\*(?!\/) ?|\/\/ ?)/gm;
const PARSER: ParserOptions = {
  sourceType: 'module',
  plugins: ['typescript', 'decorators'],
  errorRecovery: true,
};

/** Returns the texts of a source file. The file extension selects the parser; unknown file types have no texts. */
export function readTexts(path: string, source: string): Text[] {
  if (/\.(ts|js|mjs)$/.test(path)) return readCode(source, PARSER);
  if (/\.tsx$/.test(path)) return readCode(source, { ...PARSER, plugins: ['typescript', 'jsx'] });
  if (/\.json$/.test(path)) return readJson(source);
  if (/\.md$/.test(path)) {
    const withoutCode = source.replaceAll(/^(```|~~~).*?^\1$/gms, (block) => block.replaceAll(/[^\n]/g, ' '));
    return matchTexts(
      withoutCode,
      /^ *[^\s|].*(?:\n(?!\s*(?:[-*|#>]|\d+\.) ).*\S.*)*|^\|.*\p{L}.*$/gmu,
      'prose',
    );
  }
  if (/\.css$/.test(path)) return matchTexts(source, /\/\*.*?\*\//gs, 'comment');
  if (/\.html$/.test(path)) {
    const withoutLinks = source.replaceAll(/<link\b[^>]*>/gi, (tag) => tag.replaceAll(/[^\n]/g, ' '));
    return matchTexts(withoutLinks, /^.*\p{L}.*$/gmu, 'prose');
  }
  if (/\.(ya?ml|sh|py|toml|tpl|txt|env|example|in)$|(Docker|Caddy)file/.test(path))
    return matchTexts(source, /^.*\p{L}.*$/gmu, 'prose');
  return [];
}

function matchTexts(source: string, pattern: RegExp, type: Text['type']): Text[] {
  return [...source.matchAll(pattern)].map((match) => ({
    type,
    value: match[0].replaceAll(/[\r\n]/g, ' '),
    start: match.index,
  }));
}

function readJson(source: string): Text[] {
  return readCode(`(${source})`, PARSER).map((text) => ({ ...text, start: text.start - 1 }));
}

function readCode(source: string, options: ParserOptions): Text[] {
  const file = parse(source, options);
  const texts: Text[] = joinLines(source, file.comments ?? []);
  const add = (type: Text['type'], { start, end }: Span, value = source.slice(start, end)) =>
    texts.push({ type, start, value: value.replaceAll(/[\r\n]/g, ' ') });
  t.traverse(file.program, (node, ancestors) => {
    const parent = ancestors.at(-1)?.node;
    if (t.isStringLiteral(node) || t.isTemplateLiteral(node)) {
      if (/^(Import|Export)/.test(parent?.type ?? '') || t.isTSLiteralType(parent)) return;
      const { start, end } = spanOf(node);
      const text = t.isStringLiteral(node) ? source.slice(start, end) : blankExpressions(source, node);
      const isTitle = t.isCallExpression(parent) && TITLED.has(calleeName(parent));
      const isLabel = t.isJSXAttribute(parent) && LABELS.test(String(parent.name.name));
      if (isTitle || isLabel || (IS_PROSE.test(text) && !IS_SQL.test(text.slice(1))))
        add(isTitle ? 'title' : 'string', { start: start + 1, end: end - 1 }, text.slice(1, -1));
    } else if (t.isJSXText(node)) {
      if (/\p{L}/u.test(node.value)) add('string', spanOf(node));
    } else if (t.isIdentifier(node) && parent !== undefined && declares(parent, node)) {
      add('name', spanOf(node), node.name);
    }
  });
  return texts.sort((one, other) => one.start - other.start);
}

interface Span {
  start: number;
  end: number;
}

/** Nodes that were not created by the parser have no position. */
function spanOf({ type, start, end }: t.Node | t.Comment): Span {
  if (typeof start !== 'number' || typeof end !== 'number') throw new Error(`A ${type} has no position`);
  return { start, end };
}

/** Joins consecutive line comments into one text. */
function joinLines(source: string, comments: readonly t.Comment[]): Text[] {
  const spans: Span[] = [];
  for (const comment of comments) {
    const { type } = comment;
    const { start, end } = spanOf(comment);
    const last = spans.at(-1);
    const isContinued =
      type === 'CommentLine' && last !== undefined && /^\r?\n[ \t]*$/.test(source.slice(last.end, start));
    if (isContinued && source.startsWith('//', last.start)) last.end = end;
    else spans.push({ start, end });
  }
  return spans.map(({ start, end }) => ({
    type: 'comment',
    start,
    value: source
      .slice(start, end)
      .replaceAll(MARKS, (mark) => ' '.repeat(mark.length))
      .replaceAll(/[\r\n]/g, ' '),
  }));
}

function blankExpressions(source: string, template: t.TemplateLiteral): string {
  const whole = spanOf(template);
  let value = source.slice(whole.start, whole.end);
  for (const { start, end } of template.expressions.map(spanOf)) {
    const from = start - whole.start;
    value = value.slice(0, from) + '…'.repeat(end - start) + value.slice(from + end - start);
  }
  return value.replaceAll(/\$\{[^…]*…+[^…}]*\}/g, (blank) => '…'.padEnd(blank.length, '\u200b'));
}

function calleeName({ callee }: t.CallExpression): string {
  const named = t.isMemberExpression(callee) ? callee.object : callee;
  return t.isIdentifier(named) ? named.name : '';
}

function declares(parent: t.Node, node: t.Identifier): boolean {
  if (t.isFunctionDeclaration(parent)) return parent.id === node || parent.params.includes(node);
  if (t.isClassMethod(parent)) return parent.key === node || parent.params.includes(node);
  if (t.isArrowFunctionExpression(parent)) return parent.params.includes(node);
  if (t.isClassProperty(parent)) return parent.key === node;
  const isNamed =
    t.isVariableDeclarator(parent) ||
    t.isClassDeclaration(parent) ||
    t.isTSInterfaceDeclaration(parent) ||
    t.isTSTypeAliasDeclaration(parent);
  return isNamed && parent.id === node;
}
