// Makes lib/operations.d.ts from the output of `holdfast api --json` on standard input.
import { readFileSync } from 'node:fs';

const api = JSON.parse(readFileSync(0, 'utf8'));
const quoted = (text) => JSON.stringify(text);
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const simple = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null', array: 'unknown[]',
  object: 'Record<string, unknown>' };

function type(schema, pad) {
  if (schema.$ref) return `Shapes[${quoted(schema.$ref.split('/').pop())}]`;
  if (schema.anyOf) return schema.anyOf.map((one) => type(one, pad)).join(' | ');
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((one) => type({ ...schema, type: one }, pad)).join(' | ');
  if (schema.type === 'array' && schema.items) return `Array<${type(schema.items, pad)}>`;
  if (schema.type === 'object' && schema.properties) return fields(schema, pad);
  return simple[schema.type] ?? 'unknown';
}

function fields(schema, pad) {
  const required = new Set(schema.required);
  const lines = Object.entries(schema.properties).flatMap(([name, one]) => [
    ...(one.description ? [`${pad}  /** ${one.description.replaceAll('*/', '* /')} */`] : []),
    `${pad}  ${key(name)}${required.has(name) ? '' : '?'}: ${type(one, pad + '  ')};`,
  ]);
  return lines.length ? `{\n${lines.join('\n')}\n${pad}}` : '{}';
}

const methods = (wanted, parts) => api.methods.filter((one) => wanted(one.kind)).map((one) =>
  `  /** ${one.summary} */\n  ${quoted(one.method)}: {\n` +
  parts.map((part) => `    ${part}: ${type(one[part], '    ')};\n`).join('') + '  };\n').join('');

process.stdout.write(
  '// Generated from the table of operations.\n\n' +
  `export type ErrorCode =\n${(Array.isArray(api.errors) ? api.errors.map((one) => one.code ?? one) : Object.keys(api.errors)).map((one) => `  | ${quoted(one)}`).join('\n')};\n\n` +
  `export interface Shapes {\n${Object.entries(api.$defs).map(([name, one]) => `  ${key(name)}: ${type(one, '  ')};\n`).join('')}}\n\n` +
  `export interface Operations {\n${methods((kind) => kind !== 'stream', ['params', 'result'])}}\n\n` +
  `export interface Streams {\n${methods((kind) => kind === 'stream', ['params', 'item', 'result'])}}\n\n` +
  '/** The Operations that answer with pages. */\n' +
  `export type Lists = Pick<Operations,\n${api.methods.filter((one) => one.kind === 'list').map((one) => `  | ${quoted(one.method)}`).join('\n')}>;\n`);
