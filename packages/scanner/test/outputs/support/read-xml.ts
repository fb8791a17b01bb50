export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const TOKEN = /<\?[^>]*\?>|<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|[^<]+/y;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0, section 2.2, forbids them
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Parses the subset of XML that JUnit files use. Throws if the input is not well-formed XML 1.0. */
export function readXml(text: string): XmlElement {
  if (FORBIDDEN.test(text) || !text.isWellFormed()) throw new Error('A character that XML does not allow');
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    const parent = open.at(-1);
    if (token === null || parent === undefined)
      throw new Error(`No XML at ${start}: ${text.slice(start, start + 60)}`);
    const [source, closing, name, attributes = '', empty] = token;
    if (name === undefined) {
      if (!source.startsWith('<?')) parent.text += decode(source.replace(/\r\n?/g, '\n'));
    } else if (closing === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const element: XmlElement = { name, attributes: readAttributes(attributes), children: [], text: '' };
      parent.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [root] = top.children;
  if (open.length !== 1 || top.children.length !== 1 || root === undefined)
    throw new Error('The document does not have exactly one root element');
  return root;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, decode((value ?? '').replace(/\s/g, ' '))]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(#x?[\da-fA-F]+|\w+)?(;?)/g, (reference, entity: string | undefined, end: string) => {
    const character = entity?.startsWith('#')
      ? String.fromCodePoint(Number(entity.replace('#', '0')))
      : ENTITIES[entity ?? ''];
    if (character === undefined || end !== ';') throw new Error(`No entity: ${reference}`);
    return character;
  });
}
