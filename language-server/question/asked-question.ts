/**
 * A question to a model is read as a `run` of a document of its own that imports the model, so each place is one of the
 * question or of the model, and the model is that of its text. A value that is asked for is written like a condition.
 */
import { DocumentState, URI, type LangiumCoreServices, type LangiumDocument } from 'langium';
import type { Problem } from '../../engine/common/problem.js';
import type { SourcePosition } from '../../engine/common/source-range.js';
import { markAskedValue } from '../../language/typing/asked-values.js';
import { declarationsOf } from '../../language/references/imports.js';
import type { ProblemCode } from '../../language/problems/codes.js';
import { rangeOf } from '../../language/tree/source-text.js';
import type { Node, Place, SourceText } from '../../language/tree/node.js';
import { isStatedRun, type Model } from '../generated/ast.js';
import { QUESTION, type Question } from './question.js';
import { importsOf, modelOf, setImportTarget } from '../references/imports.js';

export interface AskedQuestion {
    readonly document: LangiumDocument;
    readonly kind: Question['kind'];
    /** Of the run: a name that the model does not declare. */
    readonly name: string;
}

/** The linked document of a question to a linked document with a tree. */
export async function askedQuestion(
    model: LangiumDocument,
    { kind, text: question }: Question,
    { shared, references }: LangiumCoreServices,
): Promise<AskedQuestion> {
    const tree = modelOf(model) as Model;
    const name = unusedName(tree);
    const text = `import "${MODEL}" run ${name} =\n${question}`;
    const uri = model.uri.with({ query: QUESTION });
    const document = shared.workspace.LangiumDocumentFactory.fromString(text, URI.parse(uri.toString(true)));
    const root = modelOf(document);
    if (root !== undefined) {
        const source = (root as Node).$source as SourceText;
        Object.assign(root, { $source: new QuestionText(source) });
        if (kind === 'value') {
            root.declarations.filter(isStatedRun).forEach(markAskedValue);
        }
        importsOf(document).forEach(node => setImportTarget(node, { kind: 'document', document: model }));
    }
    document.localSymbols = await references.ScopeComputation.collectLocalSymbols(document);
    document.state = DocumentState.ComputedScopes;
    await references.Linker.link(document);
    document.state = DocumentState.Linked;
    return { document, name, kind };
}

const MODEL = 'model.orbit';

/** What is wrong with a question without errors: something behind it. */
export function strayProblem({ document, kind }: AskedQuestion): Problem | undefined {
    const [, , stray] = modelOf(document)?.declarations ?? [];
    return (
        stray && {
            severity: 'error',
            code: 'syntax/unexpected' satisfies ProblemCode,
            message: `a question is ${kind === 'run' ? '`c`, or `c then d`,' : 'one value'} and nothing else: this is another declaration`,
            range: rangeOf(stray),
        }
    );
}

/** A problem of syntax, whose place is one of the document, at its place in the question. */
export function inQuestion(problem: Problem): Problem {
    const { range, related: _related, fix: _fix, ...others } = problem;
    return { ...others, range: { ...range, ...inLines(range) } };
}

function unusedName(model: Model): string {
    const names = new Set(declarationsOf(model).map(each => ('name' in each ? each.name : '')));
    let name = 'find';
    for (let number = 2; names.has(name); number++) {
        name = `find${number}`;
    }
    return name;
}

/** The lines of the question, without the one above it. */
function inLines({ start, end }: Place['range']): Place['range'] {
    return { start: above(start), end: above(end) };
}

function above({ line, character }: SourcePosition): SourcePosition {
    return line === 0 ? { line, character: 0 } : { line: line - 1, character };
}

class QuestionText implements SourceText {
    readonly #document: SourceText;

    constructor(document: SourceText) {
        this.#document = document;
    }

    get uri(): string {
        return this.#document.uri;
    }

    get path(): string {
        return this.#document.path;
    }

    get text(): string {
        return this.#document.text;
    }

    placeOf(node: Node): Place | undefined {
        return moved(this.#document.placeOf(node));
    }

    placeOfProperty(node: Node, property: string): Place | undefined {
        return moved(this.#document.placeOfProperty(node, property));
    }
}

function moved(place: Place | undefined): Place | undefined {
    // A place of the parser is no plain object.
    return place && { offset: place.offset, end: place.end, text: place.text, range: inLines(place.range) };
}
