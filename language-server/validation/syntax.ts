/** What the lexer and the parser found, as problems with exact ranges, and not more of them than a reader wants. */
import type { LangiumDocument } from 'langium';
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { CHAIN_LIMIT, NESTING_LIMIT, TOO_DEEP } from '../parsing/lexer.js';
import { splitMessage } from '../parsing/parser-error-message-provider.js';
import type { ProblemCode } from './codes.js';
import { sortProblems } from './problem-collector.js';

/** More syntax errors than this are counted, not listed. */
export const SYNTAX_PROBLEM_LIMIT = 20;

/** The syntax errors of a document in the order of the text; empty where there are none. */
export function syntaxProblems(document: LangiumDocument): Problem[] {
    const { lexerErrors, parserErrors } = document.parseResult;
    const uri = document.uri.toString();
    const rangeAt = (offset: number, length: number): SourceRange => ({
        uri,
        start: document.textDocument.positionAt(offset),
        end: document.textDocument.positionAt(offset + length),
    });
    const error = (code: ProblemCode, message: string, range: SourceRange): Problem => ({
        severity: 'error',
        code,
        message,
        range,
    });
    const tooDeep = lexerErrors.find(({ message }) => message === TOO_DEEP);
    if (tooDeep !== undefined) {
        const text =
            `the text is nested too deeply here; at most ${NESTING_LIMIT} open brackets ` +
            `and ${CHAIN_LIMIT} operators in one expression are possible`;
        return [error('syntax/too-deep', text, rangeAt(tooDeep.offset, tooDeep.length))];
    }
    const text = document.textDocument.getText();
    const problems = lexerErrors.map(({ offset, length }) =>
        error('syntax/character', describeCharacters(text.slice(offset, offset + length)), rangeAt(offset, length)),
    );
    for (const parserError of parserErrors) {
        const { code, text: message } = splitMessage(parserError.message);
        const { token } = parserError;
        // The end of the file has no place of its own: point behind the last thing that is there.
        const end = text.trimEnd().length;
        const range = Number.isNaN(token.startOffset) ? rangeAt(end, 0) : rangeAt(token.startOffset, token.image.length);
        problems.push(error(code, message, range));
    }
    return limited(onePerPlace(sortProblems(problems)));
}

/** One mistake may be reported by several rules; the first one is the innermost. */
function onePerPlace(problems: readonly Problem[]): Problem[] {
    return problems.filter((problem, index) => {
        const before = problems[index - 1];
        return (
            before === undefined ||
            before.range.start.line !== problem.range.start.line ||
            before.range.start.character !== problem.range.start.character
        );
    });
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

function describeCharacters(characters: string): string {
    const shown = characters.length > 20 ? `${characters.slice(0, 20)}…` : characters;
    switch (characters[0]) {
        case '/':
            return characters.startsWith('/*')
                ? 'a comment begins with `//` and ends with its line'
                : 'division is written `div`, a comment begins with `//`';
        case '%':
            return 'the remainder is written `mod`';
        case '&':
            return '“and” is written `&&`';
        case '|':
            return '“or” is written `||`';
        case '.':
            return 'records are not part of the language yet; a range is written `low .. high`';
        case '"':
        case "'":
            return 'the language has no texts; name values in an `enum`';
        default:
            return `\`${shown}\` has no meaning here`;
    }
}
