/** The elements of a text without syntax errors: tokens and comments in order, with facts about their surroundings. */
import { AstUtils, CstUtils, GrammarAST, type AstNode, type LeafCstNode, type RootCstNode } from 'langium';
import * as ast from '../generated/ast.js';

export interface Element {
    /** Without the spaces behind a comment. */
    readonly text: string;
    /** Its place in the text; `end` is exclusive. */
    readonly offset: number;
    readonly end: number;
    /** Columns before it on its line, with tabs as wide as an indentation. */
    readonly sourceColumn: number;
    /** Line breaks of the author directly before it. */
    readonly sourceBreaks: number;
    /** Columns between it and the element before, if both are on one line. */
    readonly sourceSpaces: number;
    readonly isComment: boolean;
    /** Whether a declaration, an item of a block or a statement of a body begins here. */
    readonly beginsItem: boolean;
    /** `or` and `else`, which continue the item of the block before them. */
    readonly isAlternative: boolean;
    readonly bracket: Bracket;
    /** Whether a space separates it from the element before on the same line. */
    readonly isSpaced: boolean;
    /** Whether a line break of the author before it may stay. Items and closing brackets have rules of their own. */
    readonly mayBreak: boolean;
}

/** Brackets around items are the braces of blocks and bodies; all others are around lists or single expressions. */
type Bracket = 'none' | 'opens-items' | 'opens-list' | 'closes';

/** Columns of one indentation. */
export const INDENTATION = 4;

/** The tokens and comments of a text in their order. */
export function elementsOf(root: RootCstNode): readonly Element[] {
    const text = root.fullText;
    const itemOffsets = itemOffsetsOf(root.astNode);
    const elements: Element[] = [];
    let previous: LeafCstNode | undefined;
    let previousToken: LeafCstNode | undefined;
    let previousEnd = 0;
    let lineStart = 0;
    for (const leaf of CstUtils.flattenCst(root)) {
        const isComment = leaf.hidden;
        for (const { 0: word, index } of wordsOf(leaf)) {
            const offset = leaf.offset + index;
            const gap = text.slice(previousEnd, offset);
            const lastBreak = Math.max(gap.lastIndexOf('\n'), gap.lastIndexOf('\r'));
            lineStart = lastBreak < 0 ? lineStart : previousEnd + lastBreak + 1;
            const ownText = isComment ? word.trimEnd() : word;
            elements.push({
                text: ownText,
                offset,
                end: offset + ownText.length,
                sourceColumn: columnsOf(text.slice(lineStart, offset)),
                sourceBreaks: gap.match(/\r\n|\r|\n/g)?.length ?? 0,
                sourceSpaces: columnsOf(gap),
                isComment,
                beginsItem: !isComment && itemOffsets.has(offset),
                isAlternative: !isComment && isAlternative(leaf),
                bracket: isComment ? 'none' : bracketOf(leaf),
                isSpaced: previous !== undefined && (isComment || previous.hidden || areSpaced(previous, leaf)),
                mayBreak:
                    previousToken !== undefined && !isComment && index === 0 && mayBreakBetween(previousToken, leaf),
            });
            previous = leaf;
            previousToken = isComment ? previousToken : leaf;
            previousEnd = offset + ownText.length;
        }
    }
    return elements;
}

/** The words of `leads to`, with their places in it; any other token is one word. */
function wordsOf({ text, tokenType }: LeafCstNode): Iterable<{ readonly 0: string; readonly index: number }> {
    return tokenType.name.includes(' ') ? text.matchAll(/\S+/g) : text === '' ? [] : [{ 0: text, index: 0 }];
}

function columnsOf(text: string): number {
    let columns = 0;
    for (const character of text) {
        columns += character === '\t' ? INDENTATION - (columns % INDENTATION) : character.length;
    }
    return columns;
}

function itemOffsetsOf(root: AstNode): ReadonlySet<number> {
    const offsets = new Set<number>();
    for (const node of AstUtils.streamAst(root)) {
        for (const item of itemsOf(node)) {
            if (item.$cstNode !== undefined) {
                offsets.add(item.$cstNode.offset);
            }
        }
    }
    return offsets;
}

function itemsOf(node: AstNode): readonly AstNode[] {
    if (ast.isModel(node)) {
        return [...node.headers, ...node.declarations];
    }
    return ast.isBlock(node) ? node.items : ast.isBody(node) ? node.statements : [];
}

function isAlternative({ text, astNode }: LeafCstNode): boolean {
    return text === 'or' || (text === 'else' && !ast.isConditional(astNode));
}

function bracketOf({ text, astNode }: LeafCstNode): Bracket {
    switch (text) {
        case '{':
            return ast.isBlock(astNode) || ast.isBody(astNode) ? 'opens-items' : 'opens-list';
        case '(':
        case '[':
            return 'opens-list';
        case '}':
        case ')':
        case ']':
            return 'closes';
        default:
            return 'none';
    }
}

/** Whether a space stands between two tokens on one line. */
function areSpaced(left: LeafCstNode, right: LeafCstNode): boolean {
    if (left.text === '(' || left.text === '[' || left.text === '.' || isPrefix(left)) {
        return false;
    }
    switch (right.text) {
        case '}':
            return left.text !== '{';
        case ')':
        case ']':
        case ',':
        case ';':
        case '.':
        case ':':
            return false;
        case '(':
            return !opensArguments(left, right);
        case '[':
            return ast.isArrayLiteral(right.astNode);
        case '?':
            return ast.isStep(right.astNode);
        default:
            return true;
    }
}

/** Signs and negations stand directly before their operand. */
function isPrefix({ text, astNode }: LeafCstNode): boolean {
    return (text === '!' || text === '-') && ast.isUnaryExpression(astNode);
}

const RULES_WITH_ARGUMENTS: ReadonlySet<string> = new Set([
    'Call',
    'BoundCall',
    'CasePattern',
    'EnumerationValue',
    'FunctionDeclaration',
    'Procedure',
    'ProcedureCall',
    'Process',
    'Spawn',
]);
const QUANTIFIERS: ReadonlySet<string> = new Set(['count', 'sum', 'min', 'max', 'the']);

/** Whether a parenthesis belongs to the name before it. The node of one around an expression is that expression. */
function opensArguments(name: LeafCstNode, parenthesis: LeafCstNode): boolean {
    return (
        RULES_WITH_ARGUMENTS.has(ruleOf(parenthesis)) || (QUANTIFIERS.has(name.text) && ast.isQuantifier(name.astNode))
    );
}

/** The name of the grammar rule that a token belongs to. */
function ruleOf({ grammarSource }: LeafCstNode): string {
    return AstUtils.getContainerOfType(grammarSource, GrammarAST.isParserRule)?.name ?? '';
}

/** Words without a line break behind them. */
const JOINED_BEFORE: ReadonlySet<string> = new Set(
    (
        'model import param const type record enum var init constraint channel event function procedure process invariant property assume run expect fair strong ' +
        'allow deadlock set let spawn loop while for if choose or when assert return at in of end symmetric values takes always ' +
        'eventually possible'
    ).split(' '),
);

/** Tokens without a line break before them. */
const JOINED_AFTER: ReadonlySet<string> = new Set([
    '=',
    ':=',
    'of',
    'at',
    'takes',
    'in',
    'deadlock',
    'free',
    'symmetric',
    'values',
]);

function mayBreakBetween(left: LeafCstNode, right: LeafCstNode): boolean {
    // Some of these words may be names.
    const isJoined = JOINED_BEFORE.has(left.text) && ruleOf(left) !== 'Name';
    if (!areSpaced(left, right) || isJoined || (JOINED_AFTER.has(right.text) && ruleOf(right) !== 'Name')) {
        return false;
    }
    if (right.text === '{' && !isBodyOfStep(right.astNode)) {
        return false;
    }
    if ((right.text === '!' || right.text === '?') && ast.isStep(right.astNode)) {
        return false;
    }
    // A label stays on the line of its step.
    return !(left.text === ':' && ast.isLabeled(left.astNode));
}

function isBodyOfStep(node: AstNode): boolean {
    return ast.isBody(node) && ast.isStep(node.$container);
}
