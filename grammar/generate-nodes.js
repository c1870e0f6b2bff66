/**
 * Writes the nodes of the syntax tree for `language/`, which knows no parser: the interfaces that Langium has generated
 * from the grammar without its package, and guards that read `$type`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const generated = readFileSync('language-server/generated/ast.ts', 'utf8');
const interfaces = [...generated.matchAll(/^export interface (\w+) extends langium\.AstNode \{\n([^]*?)^\}\n/gm)];
const unions = [...generated.matchAll(/^export type (\w+) = ([A-Z]\w*(?: \| [A-Z]\w*)*);$/gm)].filter(
    ([, name]) => !name.startsWith('Orbit'),
);
const membersOf = new Map(unions.map(([, name, members]) => [name, members.split(' | ')]));

/** The types of nodes in a union, which may hold other unions. */
function typesIn(name) {
    return membersOf.get(name)?.flatMap(typesIn) ?? [name];
}

const parts = [
    '// Generated from language-server/generated/ast.ts by grammar/generate-nodes.js.',
    "import { typeOf, type Link, type Node } from '../tree/node.js';",
    // A word of the language may be a name.
    'export type Name = string;',
    ...interfaces.map(([, name, body]) => {
        const fields = body.replaceAll('langium.Reference<', 'Link<');
        const guard = `export function is${name}(item: unknown): item is ${name} {\n    return typeOf(item) === '${name}';\n}`;
        return `export interface ${name} extends Node {\n${fields}}\n\n${guard}`;
    }),
    ...unions.map(([, name, members]) => {
        const constant = `TYPES_OF_${name.replace(/\B[A-Z]/g, '_$&').toUpperCase()}`;
        const types = `const ${constant}: ReadonlySet<unknown> = new Set([${typesIn(name)
            .map(type => `'${type}'`)
            .join(', ')}]);`;
        const guard = `export function is${name}(item: unknown): item is ${name} {\n    return ${constant}.has(typeOf(item));\n}`;
        return `export type ${name} = ${members};\n\n${types}\n\n${guard}`;
    }),
];
writeFileSync('language/generated/nodes.ts', `${parts.join('\n\n')}\n`);
