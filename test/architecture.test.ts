/** Every import in the project against the layer table of docs/architecture.md. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';

/** A row of the table: files below `path` may import from `folders` and `packages`. */
interface Layer {
    readonly path: string;
    readonly folders: readonly string[];
    readonly packages: readonly string[];
}

const CHECKED_FOLDERS = [
    'engine',
    'language',
    'family',
    'import',
    'language-server',
    'library',
    'cli',
    'vscode-extension',
    'bench',
];

const layers = readLayers(readFileSync('docs/architecture.md', 'utf8'));

function readLayers(text: string): readonly Layer[] {
    const section = /^## Layers$([^]*?)^## /m.exec(text)?.[1] ?? '';
    const quoted = (cell: string | undefined): string[] =>
        [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '');
    return section
        .split('\n')
        .filter(line => line.startsWith('| `'))
        .map(line => line.split('|'))
        .map(cells => ({ path: quoted(cells[1])[0] ?? '', folders: quoted(cells[2]), packages: quoted(cells[3]) }));
}

/** All sources below a folder, as paths from the root. */
function sourcesIn(folder: string): readonly string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory()) {
            return entry.name === 'node_modules' ? [] : sourcesIn(path);
        }
        return /\.(ts|js)$/.test(entry.name) ? [path] : [];
    });
}

const isBelow = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);

function layerOf(file: string): Layer | undefined {
    return layers
        .filter(layer => isBelow(file, layer.path))
        .sort((one, other) => other.path.length - one.path.length)
        .at(0);
}

function judge(file: string, imported: string): string | undefined {
    const layer = layerOf(file);
    if (layer === undefined) {
        return `${file} has no row in the layer table`;
    }
    if (imported.startsWith('.')) {
        const target = posix.join(dirname(file), imported).replace(/\.js$/, '');
        const allowed = [layer.path, ...layer.folders].map(path => path.replace(/\.[jt]s$/, ''));
        return allowed.some(path => isBelow(target, path)) ? undefined : `${file} imports ${target}`;
    }
    const name = imported.startsWith('node:') ? 'node' : (/^(@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? imported);
    return layer.packages.includes(name) ? undefined : `${file} imports the package ${imported}`;
}

/** As Prettier lays them out: an import or export from the beginning of a line, or `import('…')` anywhere. */
const IMPORTS = /^(?:import|export)(?: type)?(?:[\w\s{},*]*? from)? '([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(file: string): readonly string[] {
    return importsIn(readFileSync(file, 'utf8'));
}

function importsIn(text: string): readonly string[] {
    return [...text.matchAll(IMPORTS)].map(([, stated, called]) => stated ?? called ?? '');
}

test('every import is one that the layer table allows', () => {
    const broken = CHECKED_FOLDERS.flatMap(sourcesIn).flatMap(file =>
        importsOf(file).flatMap(imported => judge(file, imported) ?? []),
    );
    expect(broken).toEqual([]);
});

test('the check sees an upward import, a package, and a folder that the table does not know', () => {
    expect(judge('engine/group/permutation.ts', '../explore/search.js')).toBe(
        'engine/group/permutation.ts imports engine/explore/search',
    );
    expect(judge('engine/group/permutation.ts', 'node:fs')).toBe(
        'engine/group/permutation.ts imports the package node:fs',
    );
    expect(judge('vscode-extension/extension.ts', '../language-server/module.js')).toBeDefined();
    expect(judge('vscode-extension/extension.ts', '../language-server/protocol.js')).toBeUndefined();
    expect(judge('elsewhere/file.ts', './other.js')).toBe('elsewhere/file.ts has no row in the layer table');
    expect(importsOf('test/architecture.test.ts')).toContain('node:fs');
});

test('the check sees every form of an import', () => {
    const text = [
        "import 'a';",
        "import b from 'b';",
        "import * as c from 'c';",
        "import type { C,\n    D as E,\n} from 'd';",
        "import e, { f } from 'e';",
        "export { f } from 'f';",
        "export * from 'g';",
        "export type * from 'h';",
        "const i = await import('i');",
        "type J = import('j').J;",
    ];
    expect(importsIn(text.join('\n'))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']);
});

/** Files that need each other, types included, with the reason; no others may. */
const CIRCLES: readonly { readonly files: readonly string[]; readonly reason: string }[] = [
    {
        files: ['engine/codegen/compile-arithmetic.ts', 'engine/codegen/compile-expression.ts'],
        reason: 'An operand of an operator is an expression again.',
    },
    {
        files: ['engine/constraints/decompose-sum.ts', 'engine/constraints/decompose.ts'],
        reason: 'An operand of a sum is a condition again.',
    },
    {
        files: [
            'engine/sequential/expression/inline-call.ts',
            'engine/sequential/expression/run-function.ts',
            'engine/sequential/expression/specialize.ts',
        ],
        reason: 'The body of a called function is specialized like the expression that calls it.',
    },
];

type ImportGraph = ReadonlyMap<string, readonly string[]>;

test('no files import each other in a circle but those with a reason', () => {
    expect(circlesIn(importGraph())).toEqual(CIRCLES.map(({ files }) => files.join(' ')));
});

test('the check sees a circle of two files and a longer one, and no file that only leads to one', () => {
    const graph = new Map([
        ['a', ['b', 'c']],
        ['b', ['a']],
        ['c', ['d']],
        ['d', ['e', 'elsewhere']],
        ['e', ['c']],
        ['f', ['a']],
    ]);
    expect(circlesIn(graph)).toEqual(['a b', 'c d e']);
    expect(importGraph().get('engine/group/orbits.ts')).toContain('engine/group/sparse-permutation.ts');
});

/** The files of the product, each with the files that it imports. */
function importGraph(): ImportGraph {
    const files = CHECKED_FOLDERS.filter(folder => folder !== 'bench').flatMap(sourcesIn);
    const targetsOf = (file: string): readonly string[] =>
        importsOf(file)
            .filter(imported => imported.startsWith('.'))
            .map(imported => posix.join(dirname(file), imported).replace(/\.js$/, '.ts'));
    return new Map(files.map(file => [file, targetsOf(file)]));
}

/** The names of files that reach each other, a text for each circle, in order. */
function circlesIn(graph: ImportGraph): readonly string[] {
    const reached = new Map([...graph.keys()].map(file => [file, reachedFrom(file, graph)]));
    const circles = [...reached].flatMap(([file, others]) =>
        others.has(file)
            ? [
                  [...others]
                      .filter(other => reached.get(other)?.has(file))
                      .sort()
                      .join(' '),
              ]
            : [],
    );
    return [...new Set(circles)].sort();
}

function reachedFrom(file: string, graph: ImportGraph): ReadonlySet<string> {
    const reached = new Set(graph.get(file));
    // The set grows during the loop.
    for (const other of reached) {
        graph.get(other)?.forEach(target => reached.add(target));
    }
    return reached;
}

test('every row of the table names something that exists', () => {
    const missing = layers.map(layer => layer.path).filter(path => !isPresent(path));
    expect(missing).toEqual([]);
});

function isPresent(path: string): boolean {
    return readdirSync(dirname(path)).includes(posix.basename(path));
}

test('the engine reads neither clock nor randomness', () => {
    const impure = sourcesIn('engine').filter(file =>
        /\b(Date\b|performance\.|Math\.random)/.test(withoutComments(readFileSync(file, 'utf8'))),
    );
    expect(impure).toEqual([]);
});

function withoutComments(text: string): string {
    return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

/** What an oracle may take from the engine besides types: the vocabulary of models, and what checks conditions. */
const SHARED_WITH_ORACLES = ['engine/common', 'engine/model'];

/** The oracles of detection and of runs use the interpreter, which has its own oracle in test/reference/model-state-space.ts. */
const SEMANTICS_FOR_ORACLES: Readonly<Record<string, readonly string[]>> = {
    'test/reference/literal-symmetries.ts': ['engine/explore/initial/initial-states', 'engine/explore/successors'],
    'test/reference/temporal/full-graph.ts': ['engine/explore/initial/initial-states', 'engine/explore/successors'],
    'test/reference/temporal/atom-truths.ts': ['engine/sequential/expression/evaluate'],
    'test/reference/temporal/check.ts': ['engine/sequential/expression/evaluate'],
};

test('an oracle takes no algorithm from the engine', () => {
    const borrowed = sourcesIn('test/reference').flatMap(file => {
        const allowed = ['test', ...SHARED_WITH_ORACLES, ...(SEMANTICS_FOR_ORACLES[file] ?? [])];
        return valueImportsOf(file)
            .map(imported => posix.join(dirname(file), imported).replace(/\.js$/, ''))
            .filter(target => !allowed.some(path => isBelow(target, path)))
            .map(target => `${file} imports ${target}`);
    });
    expect(borrowed).toEqual([]);
});

function valueImportsOf(file: string): readonly string[] {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^import (?!type\b)[^;]*?from '(\.[^']+)'/gm)].map(match => match[1] ?? '');
}
