/** Syntax errors of the lexer and the parser as problems with exact ranges, and missing semicolons. */
import { CstUtils, type AstNode, type LangiumDocument } from 'langium';
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { descendantsOf } from '../../language/tree/descendants.js';
import * as ast from '../generated/ast.js';
import { CHARACTER_LIMIT, TOKEN_LIMIT, TOO_DEEP, TOO_LONG } from '../parsing/lexer.js';
import { readMessage, type SyntaxError } from '../parsing/parser-error-message-provider.js';
import { formatCount } from '../../language/problems/describe.js';
import type { ProblemCode } from '../../language/problems/codes.js';
import { asAdvice, fixOf, instead, written, type Advice } from '../../language/problems/remedy.js';
import { sortProblems, type ProblemCollector } from '../../language/problems/problem-collector.js';
import { isLocalDeclaration } from '../../language/references/locals.js';
import { rangeOf } from '../../language/tree/source-text.js';
import { bracesOpenIn, explainInContext, openBraceBefore } from './syntax-context.js';

/** Further syntax errors are counted, not listed. */
const SYNTAX_PROBLEM_LIMIT = 20;

/** The syntax errors of a document in the order of the text. */
export function syntaxProblems(document: LangiumDocument): Problem[] {
    const { lexerErrors, parserErrors } = document.parseResult;
    const uri = document.uri.toString();
    const rangeAt = (offset: number, length: number): SourceRange => ({
        uri,
        start: document.textDocument.positionAt(offset),
        end: document.textDocument.positionAt(offset + length),
    });
    const problemAt = (code: ProblemCode, message: string, range: SourceRange): Problem => ({
        severity: 'error',
        code,
        message,
        range,
    });
    const tooDeep = lexerErrors.find(({ message }) => message.startsWith(TOO_DEEP));
    if (tooDeep !== undefined) {
        return [problemAt('syntax/too-deep', tooDeep.message, rangeAt(tooDeep.offset, tooDeep.length))];
    }
    const tooLong = lexerErrors.find(({ message }) => message === TOO_LONG);
    if (tooLong !== undefined) {
        const text =
            `the text is too long for a model: at most ${formatCount(CHARACTER_LIMIT)} characters ` +
            `and ${formatCount(TOKEN_LIMIT)} words and signs are possible`;
        return [problemAt('syntax/too-long', text, rangeAt(tooLong.offset, tooLong.length))];
    }
    const text = document.textDocument.getText();
    const problems: Problem[] = [];
    const linesWithProblem = new Set<number>();
    // One mistake often causes further errors: later in the same line, at the end of the file for a missing brace, and where
    // the parser, behind the mistake, looks for a declaration inside of braces.
    let bracesOpen: Uint8Array | undefined;
    const isConsequence = ({ offset, length, isBetweenDeclarations }: SyntaxError, line: number): boolean =>
        linesWithProblem.has(line) ||
        (problems.length > 0 &&
            (length === 0 || (isBetweenDeclarations === true && (bracesOpen ??= bracesOpenIn(text))[offset] === 1)));
    const add = (error: SyntaxError): void => {
        const { offset } = error;
        const { line } = document.textDocument.positionAt(offset);
        if (isConsequence(error, line)) {
            return;
        }
        linesWithProblem.add(line);
        const shown = explainInContext(text, error);
        // Once: what follows a missing brace is read at the wrong depth.
        const isFirst = problems.every(({ related }) => related === undefined);
        const brace = isFirst && shown.remedy?.kind === 'close' ? openBraceBefore(text, offset) : undefined;
        const range = rangeAt(shown.offset, shown.length);
        const fix = shown.remedy && fixOf(shown.remedy, range);
        const problem = { ...problemAt(shown.code, shown.text, range), ...(fix && { fix }) };
        const where = brace?.isByLayout === true ? 'by the layout, this `{` is still open' : 'this `{` is still open';
        problems.push(
            brace === undefined
                ? problem
                : { ...problem, related: [{ message: where, range: rangeAt(brace.offset, 1) }] },
        );
    };
    for (const { offset, length } of lexerErrors) {
        const found = describeCharacters(text.slice(offset, offset + length), text.charAt(offset + length));
        add({ code: 'syntax/character', ...asAdvice(found), offset, length });
    }
    for (const { message } of parserErrors) {
        add(readMessage(message));
    }
    return limited(sortProblems(problems));
}

function limited(problems: readonly Problem[]): Problem[] {
    const first = problems.slice(0, SYNTAX_PROBLEM_LIMIT);
    const next = problems[SYNTAX_PROBLEM_LIMIT];
    if (next === undefined) {
        return first;
    }
    const rest = problems.length - SYNTAX_PROBLEM_LIMIT;
    const message = `${rest} more syntax ${rest === 1 ? 'error' : 'errors'} from here on`;
    return [...first, { severity: 'error', code: 'syntax/too-many', message, range: next.range }];
}

function describeCharacters(characters: string, next: string): string | Advice {
    const shown = characters.length > 20 ? `${characters.slice(0, 20)}…` : characters;
    switch (characters.charAt(0)) {
        case '/':
            return `${characters}${next}`.startsWith('/*')
                ? 'a comment begins with `//` and ends with its line'
                : instead('division is written `div`, a comment begins with `//`', 'div');
        case '#':
            return 'a comment begins with `//`';
        case '"':
            return 'the quotation mark that ends the name of the file is missing';
        case "'":
            return 'names of files stand in double quotation marks, and the language has no other texts';
        default: {
            const word = FOREIGN_SIGNS[characters.charAt(0)];
            if (word !== undefined) {
                return word;
            }
            const hint = /^\p{L}/u.test(characters) ? '; names are made of the letters a to z, digits and `_`' : '';
            return `\`${shown.replace(/[^\x20-\uD7FF]/gu, escapeCharacter)}\` has no meaning here${hint}`;
        }
    }
}

/** Messages for operators of other languages and of mathematics. */
const FOREIGN_SIGNS: Readonly<Record<string, string | Advice>> = {
    '%': written('the remainder', 'mod'),
    '&': written('“and”', '&&'),
    '|': written('“or”', '||'),
    '∧': written('“and”', '&&'),
    '∨': written('“or”', '||'),
    '~': written('“not”', '!'),
    '¬': written('“not”', '!'),
    '^': 'exclusive “or” is written `xor(a, b)`, a power `pow(a, b)`',
    '≤': written('“at most”', '<='),
    '≥': written('“at least”', '>='),
    '≠': written('“not equal”', '!='),
    '→': written('“implies”', 'implies'),
    '⇒': written('“implies”', 'implies'),
    '∈': written('“element of”', 'in'),
    '∀': '“for all” is written `forall x in T: …`',
    '∃': '“there is” is written `exists x in T: …`',
};

function escapeCharacter(character: string): string {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Checks the `;` between items or statements, needed unless the first ends in a brace or is a declaration. The grammar
 * leaves it optional, since the message is better here.
 */
export function checkSeparators(model: ast.Model, problems: ProblemCollector): void {
    for (const node of descendantsOf(model)) {
        if (ast.isBlock(node)) {
            checkSequence(node.items, problems);
        } else if (ast.isBody(node)) {
            checkSequence(node.statements, problems);
        }
    }
}

function checkSequence(items: readonly AstNode[], problems: ProblemCollector): void {
    for (const [position, item] of items.slice(0, -1).entries()) {
        const cst = item.$cstNode;
        const isClosed = cst === undefined || cst.text.endsWith('}') || CstUtils.getNextNode(cst, false)?.text === ';';
        if (!isLocalDeclaration(item) && !isClosed) {
            const range = rangeOf(item);
            const next = items[position + 1];
            if (endsInGuard(item) && ast.isStep(next) && next.spawn !== undefined) {
                const message = `what a step does stands in braces behind its guard: \`{ ${next.spawn.$cstNode?.text ?? ''} }\``;
                problems.error('syntax/unexpected', message, rangeOf(next));
                continue;
            }
            const start = { line: range.end.line, character: range.end.character - 1 };
            const what = ast.isStatement(item) && ast.isBody(item.$container) ? 'statements' : 'steps';
            const message = `\`;\` is missing after this: between two ${what} it is left out only behind a \`}\``;
            problems.error('syntax/missing-semicolon', message, { ...range, start });
        }
    }
}

/** Whether an item is a step that only waits. */
function endsInGuard(item: AstNode): boolean {
    return ast.isLabeled(item)
        ? endsInGuard(item.item)
        : ast.isStep(item) && item.guard !== undefined && item.place === undefined && !item.skip;
}
