import { parseOwnJson } from '../json.js';
import { yamlLibrary } from '../lazy-modules.js';
import { encodeStatus } from '../protobuf/status-encoding.js';
import { protobufType } from '../protobuf/protobuf-body.js';
import type { Status } from '../status.js';
import { acceptsProtobuf, chooseForm, type Form, type Wishes } from './negotiation.js';

/** A body as it is sent. */
export interface FormattedBody {
  readonly contentType: string;
  readonly text: string;
}

/** Puts a JSON text into the form that was asked for. */
export function formatted(json: string, { yaml, pretty }: Pick<Form, 'yaml' | 'pretty'>): FormattedBody {
  if (yaml) return { contentType: 'application/yaml', text: yamlText(parseOwnJson(json)) };
  const text = pretty ? JSON.stringify(parseOwnJson(json), null, 2) : `${json}\n`;
  return { contentType: 'application/json', text };
}

/** A Status as it is sent: where nothing that is accepted can be served it is written for people. */
export function formattedStatus(
  status: Status,
  wishes: Wishes,
): FormattedBody | { readonly contentType: string; readonly text: Buffer } {
  const form = chooseForm(wishes, 'document');
  if (form === undefined && acceptsProtobuf(wishes)) return { contentType: protobufType, text: encodeStatus(status) };
  return formatted(JSON.stringify(status), form ?? { yaml: false, pretty: true });
}

/** What the real server's parser takes for something else than a text when it stands alone. */
const otherType =
  /^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|[-+]?(?!0[xXbB]$)(\.?[0-9][-+0-9.eE_:xXoObBa-fA-F]*|\.(inf|Inf|INF|nan|NaN|NAN))|\d{4}-\d\d?-\d\d?([Tt ].*)?)$/;

/** What cannot stand without quotes. */
const quoted = /: |:$| #|^[-?:,[\]{}#&*!|>'"%@` ]| $/;

/** YAML as the real server writes it: sorted, folded late, and with double quotes around what looks like something else. */
function yamlText(value: unknown): string {
  const { Document, Scalar, visit } = yamlLibrary();
  const document = new Document(value, { version: '1.1', sortMapEntries: true });
  visit(document, {
    Scalar(_key, node) {
      const text = node.value;
      if (typeof text !== 'string' || text.includes('\n')) return;
      if (text === '' || otherType.test(text)) node.type = Scalar.QUOTE_DOUBLE;
      else if (text.includes("'") && quoted.test(text)) node.type = Scalar.QUOTE_SINGLE;
    },
  });
  return folded(document.toString({ indentSeq: false, singleQuote: true, blockQuote: 'literal', lineWidth: 0 }));
}

const width = 80;

/** Breaks long lines at the first space behind the width; lines of block literals stay as they are. */
function folded(yaml: string): string {
  let literal: number | undefined;
  return yaml
    .split('\n')
    .map((line) => {
      const indent = line.search(/[^ ]|$/);
      if (literal !== undefined && (line === '' || indent > literal)) return line;
      const [, lead = '', key = '', text = ''] =
        /^((?: |- )*)((?:"[^"]*"|[^\s"'][^:]*):(?: |$))?(.*)$/.exec(line) ?? [];
      literal = /^\|[-+\d]*$/.test(text) ? lead.length : undefined;
      if (line.length <= width || text.startsWith('"')) return line;
      return foldedLine(line, lead.length + key.length, lead.length + (key === '' ? 0 : 2));
    })
    .join('\n');
}

function foldedLine(line: string, start: number, indent: number): string {
  let out = '';
  let column = 0;
  for (let at = 0; at < line.length; at++) {
    const isGap =
      line[at] === ' ' && at > start && line[at - 1] !== ' ' && line[at + 1] !== ' ' && at < line.length - 2;
    if (isGap && column > width) {
      out += `\n${' '.repeat(indent)}`;
      column = indent;
    } else {
      out += line[at]!;
      column++;
    }
  }
  return out;
}
