/**
 * No times: how large the house is. Lines of code by room, the longest files and classes, and names that two files export.
 *
 *     npm run bench house
 *
 * A line of JSON. Counted are the `.ts` files of the production rooms without generated ones, and those of `test`, as
 * Prettier lays them out. Methods are methods, accessors and the constructor; a name exists twice if two files declare
 * and export it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './measure.js';

const PRODUCTION = ['engine', 'language', 'family', 'import', 'cli', 'language-server', 'vscode-extension', 'library'];
/** Rooms that hold nothing but verdicts for every size. */
const EVERY_SIZE = ['family', 'language-server/family-of-document.ts'];
const SHOWN = 5;

interface Source {
    readonly path: string;
    readonly text: string;
    readonly lines: number;
}

function sourcesIn(folder: string): readonly Source[] {
    return readdirSync(join(ROOT, folder), { withFileTypes: true })
        .filter(({ name }) => name !== 'node_modules' && name !== 'generated')
        .flatMap(entry => {
            const path = `${folder}/${entry.name}`;
            if (entry.isDirectory()) {
                return sourcesIn(path);
            }
            if (!path.endsWith('.ts')) {
                return [];
            }
            const text = readFileSync(join(ROOT, path), 'utf8');
            return [{ path, text, lines: text.split('\n').length - 1 }];
        });
}

function linesOf(sources: readonly Source[]): number {
    return sources.reduce((sum, { lines }) => sum + lines, 0);
}

const CLASS = /^(?:export )?(?:abstract )?class (\w+)[^]*?^\}/gm;
const METHOD = /^ {4}(?:(?:private|protected|static|override|abstract|async|get|set) )*\*?(?:#?\w+|\[[\w.]+\])[(<]/gm;

function classesIn({ path, text }: Source): readonly { readonly name: string; readonly methods: number }[] {
    return [...text.matchAll(CLASS)].map(([body, name = '']) => ({
        name: `${path}: ${name}`,
        methods: [...body.matchAll(METHOD)].length,
    }));
}

const EXPORT = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|enum) (\w+)/gm;

function exportedNames({ text }: Source): readonly string[] {
    return [...new Set([...text.matchAll(EXPORT)].map(([, name = '']) => name))];
}

const rooms = readdirSync(ROOT).filter(name => PRODUCTION.includes(name));
const production = rooms.flatMap(sourcesIn);
const declared = new Map<string, number>();
for (const name of production.flatMap(exportedNames)) {
    declared.set(name, (declared.get(name) ?? 0) + 1);
}
const twice = [...declared].filter(([, count]) => count > 1).map(([name]) => name);
const longest = [...production].sort((one, other) => other.lines - one.lines).slice(0, SHOWN);
const classes = production.flatMap(classesIn).sort((one, other) => other.methods - one.methods);
process.stdout.write(
    `${JSON.stringify({
        lines: {
            production: linesOf(production),
            ...Object.fromEntries(rooms.map(room => [room, linesOf(sourcesIn(room))])),
            everySize: linesOf(
                production.filter(({ path }) => EVERY_SIZE.some(room => path === room || path.startsWith(`${room}/`))),
            ),
            test: linesOf(sourcesIn('test')),
        },
        longest: longest.map(({ path, lines }) => ({ path, lines })),
        classes: classes.slice(0, SHOWN),
        namesTwice: { count: twice.length, names: twice.sort() },
    })}\n`,
);
