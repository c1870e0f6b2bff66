/** The declaration of each name of a text: `name@line`, or `builtin` for a built-in function. */
import { AstUtils, DocumentState, URI, type AstNode, type LangiumDocument } from 'langium';
import { describe, expect, test } from 'vitest';
import { createOrbitCoreServices } from '../../language-server/module.js';
import { declaredTypeOf } from '../../language/references/declared-type.js';
import { isExpression, isRecordDeclaration } from '../../language-server/generated/ast.js';

const { shared, Orbit } = createOrbitCoreServices();

async function link(text: string): Promise<LangiumDocument> {
    const document = shared.workspace.LangiumDocumentFactory.fromString(text, URI.parse('file:///model.orbit'));
    expect(document.parseResult.parserErrors.map(({ message }) => message)).toEqual([]);
    document.localSymbols = await Orbit.references.ScopeComputation.collectLocalSymbols(document);
    document.state = DocumentState.ComputedScopes;
    await Orbit.references.Linker.link(document);
    return document;
}

/** `line name -> declaring line`, for the names used in the last lines of a text. */
async function targets(text: string, name: string): Promise<string[]> {
    const document = await link(text);
    return document.references
        .filter(({ $refText }) => $refText === name)
        .map(reference => {
            const target = 'ref' in reference ? reference.ref : undefined;
            return target === undefined ? 'nothing' : target.$cstNode === undefined ? 'builtin' : placeOf(target);
        });
}

function placeOf({ $type, $cstNode }: AstNode): string {
    return `${$type} in line ${($cstNode?.range.start.line ?? 0) + 1}`;
}

describe('names', () => {
    test('a local name is known in its block and the blocks inside it', async () => {
        const text = `var x: bool
            process P {
                var x: bool
                { let x = true; if x { var x: bool = true; x := false } };
                x := false
            }
            invariant i = x`;
        expect(await targets(text, 'x')).toEqual([
            'Let in line 4',
            'Variable in line 4',
            'Variable in line 3',
            'Variable in line 1',
        ]);
    });

    test('variables of loops, choices and comprehensions are known inside them', async () => {
        const text = `var a: bool[2] = [i in 0 .. 1: i == 0]
            process P {
                choose i in 0 .. 1 where i != 1 { a[i] := true } or { skip }
                for i in 0 .. 1 { { for j in 0 .. 1 { a[i] := j == i } } }
            }`;
        expect(await targets(text, 'i')).toEqual([
            'BinderVariable in line 1',
            'BinderVariable in line 3',
            'BinderVariable in line 3',
            'BinderVariable in line 4',
            'BinderVariable in line 4',
        ]);
    });

    test('the parameters of a function are known in it', async () => {
        const text = 'function f(n: 0 .. 3): 0 .. 3 { let m = n; return m }\nfunction g(n: 0 .. 3): 0 .. 3 = f(n)';
        expect(await targets(text, 'n')).toEqual(['FunctionParameter in line 1', 'FunctionParameter in line 2']);
        expect(await targets(text, 'f')).toEqual(['FunctionDeclaration in line 1']);
    });

    test('a field is a name of its own only in the `where` of its record', async () => {
        const text = `const n = 3
            record R = { m: 0 .. n, n: 0 .. 7 where n < m }
            var r: R
            invariant i = r.n == n`;
        expect(await targets(text, 'n')).toEqual([
            'Constant in line 1',
            'RecordField in line 2',
            'RecordField in line 2',
            'Constant in line 1',
        ]);
    });
});

describe('built-in functions', () => {
    test('are known everywhere', async () => {
        const text = `channel c: 1 of bool
            const m = max(1, min(2, 3))
            invariant i = len(c) < m && !full(c)`;
        for (const name of ['max', 'min', 'len', 'full']) {
            expect(await targets(text, name)).toEqual(['builtin']);
        }
    });

    test('are not hidden by a variable, but by a function of the model', async () => {
        expect(await targets('var len: 0 .. 9\nvar a: bool[3]\ninvariant i = len(a) == len', 'len')).toEqual([
            'builtin',
            'Variable in line 1',
        ]);
        expect(await targets('function len(n: 0 .. 9): 0 .. 9 = n\nconst m = len(1)', 'len')).toEqual([
            'FunctionDeclaration in line 1',
        ]);
    });
});

describe('fields', () => {
    const records = `record Link = { next: Node?, weight: 0 .. 3 }
record Node = { links: Link[2], on: bool }
type Row = Node[3]
`;
    const places: readonly [string, string][] = [
        ['an element of an array', 'var rows: Row[2]\ninvariant i = rows[1][2].links[0].weight == 1'],
        ['a local variable', 'process P { var n: Node; n.links[0].weight := 1 }'],
        ['a let', 'var n: Node\ninvariant i = true\nprocess P { let m = n.links; when m[0].weight == 1 { skip } }'],
        ['a call', 'function f(n: Node): Link = n.links[0]\nvar n: Node\ninvariant i = f(n).weight == 1'],
        ['a bound variable', 'invariant i = forall l in Link: l.weight < 4'],
        ['the variable of a comprehension', 'const w = [l in Link: l.weight]'],
        ['a loop', 'process P { for l in Link { when l.weight == 2 } }'],
        ['a choice', 'process P { choose l in Link where l.weight == 2 { skip } }'],
        ['a constructor', 'const one = Link(none, 1).weight'],
        ['a table', 'const table = [Link(none, 1), Link(none, 2)]\nconst one = table[0].weight'],
        ['a conditional', 'var a: Link\nvar b: Link\ninvariant i = (if true then a else b).weight == 0'],
    ];
    test.each(places)('of %s are found', async (_, text) => {
        expect(new Set(await targets(records + text, 'weight'))).toEqual(new Set(['RecordField in line 1']));
    });

    test('of nothing are not looked for in circles', async () => {
        expect(await targets('const a = b.f\nconst b = a.f', 'f')).toEqual(['nothing', 'nothing']);
        expect(await targets('type A = B\ntype B = A\nvar a: A\ninvariant i = a.f', 'f')).toEqual(['nothing']);
        expect(await targets('process P { let x = x.f; skip }', 'f')).toEqual(['nothing']);
    });
});

test('the declared type of an expression sees through indices, options and names', async () => {
    const document = await link(
        'record R = { f: bool }\ntype T = R?\nvar a: T[2, 3][4]\ninvariant i = a[0, 1, 2] == none',
    );
    const types = AstUtils.streamAst(document.parseResult.value)
        .filter(isExpression)
        .filter(({ $type }) => $type === 'Reference')
        .map(declaredTypeOf)
        .filter(isRecordDeclaration)
        .toArray();
    expect(types.map(({ name }) => name)).toContain('R');
});
