import { type ParserOptions, parse } from '@babel/parser';

/** A human-readable text and its position in a file. */
export interface Text {
  readonly type: 'comment' | 'string' | 'title' | 'prose' | 'name';
  /** Has the same length as the source text. Line breaks, comment markers, and expressions are replaced by spaces. */
  readonly value: string;
  /** Offset of the first character in the file, in UTF-16 code units. */
  readonly start: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
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
  const texts: Text[] = joinLines(source, (file.comments ?? []) as unknown as Node[]);
  const add = (type: Text['type'], start: number, end: number, value = source.slice(start, end)) =>
    texts.push({ type, start, value: value.replaceAll(/[\r\n]/g, ' ') });
  visit(file.program as unknown as Node, undefined, (node, parent) => {
    switch (node.type) {
      case 'StringLiteral':
      case 'TemplateLiteral': {
        if (/^(Import|Export)/.test(parent?.type ?? '') || parent?.type === 'TSLiteralType') return;
        const value =
          node.type === 'StringLiteral' ? source.slice(node.start, node.end) : blankExpressions(source, node);
        const isTitle = parent?.type === 'CallExpression' && TITLED.has(calleeName(parent));
        const isLabel = parent?.type === 'JSXAttribute' && LABELS.test(String((parent.name as Node).name));
        if (isTitle) add('title', node.start + 1, node.end - 1, value.slice(1, -1));
        else if (isLabel || (IS_PROSE.test(value) && !IS_SQL.test(value.slice(1))))
          add('string', node.start + 1, node.end - 1, value.slice(1, -1));
        return;
      }
      case 'JSXText':
        if (/\p{L}/u.test(String(node.value))) add('string', node.start, node.end);
        return;
      case 'Identifier':
        if (parent !== undefined && declares(parent, node)) {
          const name = String(node.name);
          add('name', node.start, node.start + name.length, name);
        }
    }
  });
  return texts.sort((one, other) => one.start - other.start);
}

/** Joins consecutive line comments into one text. */
function joinLines(source: string, comments: readonly Node[]): Text[] {
  const spans: { start: number; end: number }[] = [];
  for (const { type, start, end } of comments) {
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

function blankExpressions(source: string, template: Node): string {
  let value = source.slice(template.start, template.end);
  for (const { start, end } of template.expressions as Node[]) {
    const from = start - template.start;
    value = value.slice(0, from) + '…'.repeat(end - start) + value.slice(from + end - start);
  }
  return value.replaceAll(/\$\{[^…]*…+[^…}]*\}/g, (whole) => '…'.padEnd(whole.length, '\u200b'));
}

function calleeName(call: Node): string {
  let callee = call.callee as Node;
  if (callee.type === 'MemberExpression') callee = callee.object as Node;
  return String(callee.name);
}

const DECLARATIONS: Readonly<Record<string, string>> = {
  VariableDeclarator: 'id',
  FunctionDeclaration: 'id',
  ClassDeclaration: 'id',
  TSInterfaceDeclaration: 'id',
  TSTypeAliasDeclaration: 'id',
  ClassMethod: 'key',
  ClassProperty: 'key',
};

function declares(parent: Node, node: Node): boolean {
  const member = DECLARATIONS[parent.type];
  if (member !== undefined && parent[member] === node) return true;
  return (
    /^(FunctionDeclaration|ArrowFunctionExpression|ClassMethod)$/.test(parent.type) &&
    (parent.params as Node[]).includes(node)
  );
}

function visit(
  node: Node,
  parent: Node | undefined,
  enter: (node: Node, parent: Node | undefined) => void,
): void {
  enter(node, parent);
  for (const [key, value] of Object.entries(node)) {
    if (key.endsWith('omments') || key === 'extra' || key === 'loc') continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, node, enter);
    }
  }
}
