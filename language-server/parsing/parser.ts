/**
 * Langium's parser, made in half the time and without a search that takes quadratic time in long blocks.
 *
 * A short call waits for the parser to be made longer than for the text to be parsed. So of each decision of the grammar it
 * is worked out which tokens speak for it when the decision is met first, and where parsing goes on after an error when there
 * is one: most calls need a part of the first and none of the second.
 */
import {
    createLangiumParser,
    prepareLangiumParser,
    type CstNodeBuilder,
    type LangiumCoreServices,
    type LangiumParser,
} from 'langium';

/** What is private in Langium's parser, but there is no other way in. The versions of langium and chevrotain are pinned. */
interface ParserInside {
    readonly nodeBuilder: CstNodeBuilder;
    /** The parser of chevrotain. */
    readonly wrapper: GrammarParser;
}

interface GrammarParser {
    readonly lookaheadStrategy: LookaheadStrategy;
    /** Whether it goes on after an error. */
    recoveryEnabled: boolean;
    /** The tokens with which it does, by a place in the grammar. */
    resyncFollows: object;
    /** Whether its methods write down the grammar instead of parsing. */
    RECORDING_PHASE: boolean;
    enableRecording(): void;
    disableRecording(): void;
}

/** Chooses among alternatives, or says whether to go on, by the tokens that come next; `this` is the parser. */
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
    // Where it is to go on after errors, that is worked out at once.
    wrapper.recoveryEnabled = false;
    parser.finalize();
    wrapper.recoveryEnabled = true;
    let follows: object | undefined;
    Object.defineProperty(wrapper, 'resyncFollows', {
        get: () => (follows ??= insideOf(createLangiumParser(services)).wrapper.resyncFollows),
    });
    skipEmptySearches(nodeBuilder);
    return parser;
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
 * While chevrotain records the grammar, the parser has methods that hide those of its class. It deletes them then, one by one,
 * for which V8 takes long with an object of so many properties; here those of the class take their place (chevrotain 11.1).
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

/** Before each token it looks for the place of the comments in front of it, also where there are none (langium 4.2.1). */
function skipEmptySearches(nodeBuilder: CstNodeBuilder): void {
    const addHiddenNodes = nodeBuilder.addHiddenNodes.bind(nodeBuilder);
    nodeBuilder.addHiddenNodes = tokens => {
        if (tokens.length > 0) {
            addHiddenNodes(tokens);
        }
    };
}
