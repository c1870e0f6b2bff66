/**
 * Langium's parser with a faster start, and without a search that is quadratic in long blocks.
 *
 * For a short text the construction of the parser takes longer than parsing. So the lookahead of each decision of the
 * grammar is computed at its first use, and the tokens for recovery at the first error.
 */
import {
    createLangiumParser,
    prepareLangiumParser,
    type AstNode,
    type CstNodeBuilder,
    type LangiumCoreServices,
    type LangiumParser,
    type ParserOptions,
    type ParseResult,
} from 'langium';
import { withSourceText } from './parsed-text.js';

/** Private parts of Langium's parser. The versions of langium and chevrotain are pinned. */
interface ParserInside {
    readonly nodeBuilder: CstNodeBuilder;
    /** The parser of chevrotain. */
    readonly wrapper: GrammarParser;
}

interface GrammarParser {
    readonly lookaheadStrategy: LookaheadStrategy;
    /** Whether the parser goes on after an error. */
    recoveryEnabled: boolean;
    /** The tokens with which it goes on, by the place in the grammar. */
    resyncFollows: object;
    /** Whether its methods record the grammar instead of parsing. */
    RECORDING_PHASE: boolean;
    enableRecording(): void;
    disableRecording(): void;
    readonly errors: readonly unknown[];
    /** Whether what no item of a list begins with is skipped up to the next item. */
    shouldInRepetitionRecoveryBeTried(...place: readonly unknown[]): boolean;
}

/** Chooses an alternative, or decides whether to go on, by the next tokens. `this` is the parser. */
type Decision = (this: unknown, alternatives: unknown) => unknown;

interface LookaheadStrategy {
    buildLookaheadForAlternation(place: unknown): Decision;
    buildLookaheadForOptional(place: unknown): Decision;
}

export function createOrbitParser(services: LangiumCoreServices): LangiumParser {
    const parser = prepareLangiumParser(services);
    const { nodeBuilder, wrapper } = insideOf(parser);
    decideLater(wrapper.lookaheadStrategy);
    endRecordingFast(wrapper);
    // With recovery, `finalize` would compute `resyncFollows` now.
    wrapper.recoveryEnabled = false;
    parser.finalize();
    wrapper.recoveryEnabled = true;
    let follows: object | undefined;
    Object.defineProperty(wrapper, 'resyncFollows', {
        get: () => (follows ??= insideOf(createLangiumParser(services)).wrapper.resyncFollows),
    });
    skipEmptySearches(nodeBuilder);
    keepLengths(parser);
    endRecovery(wrapper);
    const parse = parser.parse.bind(parser);
    parser.parse = <Root extends AstNode>(text: string, options?: ParserOptions): ParseResult<Root> => {
        const result = parse<Root>(text, options);
        withSourceText(result.value);
        return result;
    };
    return parser;
}

/** Gives each node the length of its text; Langium takes that of the image, in which two words have one space. */
export function keepLengths(parser: LangiumParser): void {
    const { nodeBuilder } = insideOf(parser);
    const buildLeafNode = nodeBuilder.buildLeafNode.bind(nodeBuilder);
    nodeBuilder.buildLeafNode = (token, feature) => {
        const length = (token.endOffset ?? 0) + 1 - token.startOffset;
        return buildLeafNode(length > token.image.length ? { ...token, image: ' '.repeat(length) } : token, feature);
    };
}

function insideOf(parser: LangiumParser): ParserInside {
    return parser as unknown as ParserInside;
}

function decideLater(strategy: LookaheadStrategy): void {
    for (const build of ['buildLookaheadForAlternation', 'buildLookaheadForOptional'] as const) {
        const buildNow = strategy[build].bind(strategy);
        strategy[build] = place => {
            let decision: Decision | undefined;
            return function (alternatives) {
                decision ??= buildNow(place);
                return decision.call(this, alternatives);
            };
        };
    }
}

/**
 * While chevrotain records the grammar, the parser has methods that hide those of its class. Then it deletes them one
 * by one, which is slow in V8 for a large object; here the methods of the class replace them (chevrotain 11.1).
 */
function endRecordingFast(wrapper: GrammarParser): void {
    const own = wrapper as unknown as Record<string, unknown>;
    const inherited = Object.getPrototypeOf(wrapper) as Record<string, unknown>;
    const enableRecording = wrapper.enableRecording.bind(wrapper);
    let hidden: readonly string[] = [];
    wrapper.enableRecording = () => {
        const before = { ...own };
        enableRecording();
        hidden = Object.keys(own).filter(name => own[name] !== before[name] && name in inherited);
    };
    wrapper.disableRecording = () => {
        wrapper.RECORDING_PHASE = false;
        hidden.forEach(name => (own[name] = inherited[name]));
    };
}

/** After so many errors nothing more is skipped in lists: the rest of the text is one error. */
const MOST_RECOVERED = 200;

/** For each item that follows skipped text chevrotain calls itself, so that many errors would exhaust the stack (11.1). */
function endRecovery(wrapper: GrammarParser): void {
    const isTried = wrapper.shouldInRepetitionRecoveryBeTried.bind(wrapper);
    wrapper.shouldInRepetitionRecoveryBeTried = (...place) =>
        isTried(...place) && wrapper.errors.length < MOST_RECOVERED;
}

/** Before each token Langium searches the place of its comments, also if there are none (langium 4.2.1). */
function skipEmptySearches(nodeBuilder: CstNodeBuilder): void {
    const addHiddenNodes = nodeBuilder.addHiddenNodes.bind(nodeBuilder);
    nodeBuilder.addHiddenNodes = tokens => {
        if (tokens.length > 0) {
            addHiddenNodes(tokens);
        }
    };
}
