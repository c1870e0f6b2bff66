/**
 * Parses a long text in slices of some declarations and yields the thread between them. The text is tokenized once, the
 * slices are parsed in place, and the pieces are joined. The result is that of parsing at once, except that the parser
 * may recover earlier after an incomplete declaration.
 */
import {
    DefaultAsyncParser,
    RootCstNodeImpl,
    createLangiumParser,
    interruptAndCheck,
    type AstNode,
    type AsyncParser,
    type LangiumCoreServices,
    type LangiumParser,
    type LexerResult,
    type ParseResult,
} from 'langium';
import type { CancellationToken } from 'vscode-languageserver';
import { isModel, type Model } from '../../generated/ast.js';
import { withSourceText } from '../../parsing/parsed-text.js';
import { keepLengths } from '../../parsing/parser.js';
import { ALWAYS_DECLARATION, OUTSIDE_DECLARATION } from './declaration-words.js';

/** Shorter texts are parsed at once. */
export const SHORT_TEXT_CHARACTERS = 20_000;

/** A slice ends with the first declaration after this many tokens. */
const SLICE_TOKENS = 400;

type Token = LexerResult['tokens'][number];

export class SlicedParser extends DefaultAsyncParser implements AsyncParser {
    private readonly services: LangiumCoreServices;
    private sliceParser: LangiumParser | undefined;
    /** The tokens that the parser of slices gets instead of a text. */
    private slice: LexerResult = { tokens: [], hidden: [], errors: [] };

    constructor(services: LangiumCoreServices) {
        super(services);
        this.services = services;
    }

    override async parse<T extends AstNode>(text: string, cancelToken: CancellationToken): Promise<ParseResult<T>> {
        if (text.length < SHORT_TEXT_CHARACTERS) {
            return super.parse(text, cancelToken);
        }
        const lexed = this.services.parser.Lexer.tokenize(text);
        const pieces: ParseResult<Model>[] = [];
        const starts = [...sliceStarts(lexed.tokens), lexed.tokens.length];
        for (let first = 0; first < starts.length - 1;) {
            await interruptAndCheck(cancelToken);
            const parsed = this.parseSlices(text, lexed, starts, first);
            if (parsed === undefined) {
                return super.parse(text, cancelToken);
            }
            pieces.push(parsed.piece);
            first = parsed.next;
        }
        const value = joined(
            text,
            pieces.map(piece => piece.value),
        );
        return {
            value: value as AstNode as T,
            parserErrors: pieces.flatMap(piece => piece.parserErrors),
            lexerErrors: lexed.errors,
            ...(lexed.report && { lexerReport: lexed.report }),
        };
    }

    /** One slice, or two if the first one ends inside a declaration; undefined if two are not enough. */
    private parseSlices(
        text: string,
        lexed: LexerResult,
        starts: readonly number[],
        first: number,
    ): { readonly piece: ParseResult<Model>; readonly next: number } | undefined {
        for (const next of [first + 1, first + 2]) {
            const end = starts[next];
            if (end === undefined) {
                return undefined;
            }
            const piece = this.parseTokens(text, lexed, starts[first] ?? 0, end);
            const endsTooEarly = piece.parserErrors.some(({ token }) => Number.isNaN(token.startOffset));
            if (isModel(piece.value) && (!endsTooEarly || end === lexed.tokens.length)) {
                return { piece, next };
            }
        }
        return undefined;
    }

    private parseTokens(text: string, lexed: LexerResult, first: number, end: number): ParseResult<Model> {
        const from = first === 0 ? 0 : (lexed.tokens[first]?.startOffset ?? text.length);
        const to = lexed.tokens[end]?.startOffset ?? Infinity;
        this.slice = {
            tokens: lexed.tokens.slice(first, end),
            hidden: lexed.hidden.filter(({ startOffset }) => from <= startOffset && startOffset < to),
            errors: [],
        };
        return this.parser().parse<Model>(text);
    }

    private parser(): LangiumParser {
        if (this.sliceParser === undefined) {
            const { Lexer } = this.services.parser;
            const slices = { definition: Lexer.definition, tokenize: () => this.slice };
            const services = Object.create(this.services) as LangiumCoreServices;
            const parser = Object.create(this.services.parser) as LangiumCoreServices['parser'];
            Object.defineProperty(parser, 'Lexer', { value: slices });
            Object.defineProperty(services, 'parser', { value: parser });
            this.sliceParser = createLangiumParser(services);
            keepLengths(this.sliceParser);
        }
        return this.sliceParser;
    }
}

/** Indices of tokens that begin declarations, far enough from each other. The first is 0. */
function sliceStarts(tokens: readonly Token[]): number[] {
    const starts = [0];
    let depth = 0;
    tokens.forEach(({ image, startColumn }, index) => {
        const beginsLine = startColumn === 1;
        const isAlways = beginsLine && ALWAYS_DECLARATION.has(image);
        if (isAlways || (beginsLine && depth <= 0 && OUTSIDE_DECLARATION.has(image))) {
            depth = 0;
            if (index - (starts.at(-1) ?? 0) >= SLICE_TOKENS) {
                starts.push(index);
            }
        }
        depth += image === '{' ? 1 : image === '}' ? -1 : 0;
    });
    return starts;
}

/** One model of the pieces, with one concrete syntax tree. */
function joined(text: string, pieces: readonly Model[]): Model {
    const root = new RootCstNodeImpl(text);
    const model: Model = {
        $type: 'Model',
        headers: pieces.flatMap(piece => piece.headers),
        declarations: pieces.flatMap(piece => piece.declarations),
    };
    for (const [property, nodes] of Object.entries({ headers: model.headers, declarations: model.declarations })) {
        nodes.forEach((node, index) => {
            Object.assign(node, { $container: model, $containerProperty: property, $containerIndex: index });
        });
    }
    for (const piece of pieces) {
        const cst = piece.$cstNode;
        root.content.push(...(cst !== undefined && 'content' in cst ? (cst.content as typeof root.content) : []));
    }
    root.root = root;
    root.astNode = model;
    return withSourceText(Object.assign(model, { $cstNode: root }));
}
