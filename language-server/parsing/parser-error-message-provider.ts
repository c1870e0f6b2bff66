/**
 * What a syntax error says: what was found and what can stand there, in the words of the language reference instead of
 * those of the parser.
 *
 * The parser's interface carries only a text, so the code of the problem and its place travel in the first line;
 * `splitMessage` takes them off again. The place is not always the parser's: of `x = 1` it dislikes `x`, because no
 * step begins like that, but a reader finds the mistake at `=`.
 */
import { AbstractParserErrorMessageProvider } from 'langium';
import type { ProblemCode } from '../validation/codes.js';
import { explainWord } from './unknown-words.js';

type Options<Method extends keyof AbstractParserErrorMessageProvider> = Parameters<
    AbstractParserErrorMessageProvider[Method]
>[0];
type Token = Options<'buildMismatchTokenMessage'>['actual'];
type TokenType = Options<'buildMismatchTokenMessage'>['expected'];

export class OrbitParserErrorMessageProvider extends AbstractParserErrorMessageProvider {
    override buildMismatchTokenMessage(options: Options<'buildMismatchTokenMessage'>): string {
        const rule = nameOfRule(options.ruleName);
        return message(rule, options.actual, options.previous, describeExpected(options.expected, rule));
    }

    override buildNotAllInputParsedMessage(options: Options<'buildNotAllInputParsedMessage'>): string {
        return message('Model', options.firstRedundant, undefined, 'a declaration');
    }

    override buildNoViableAltMessage(options: Options<'buildNoViableAltMessage'>): string {
        const rule = nameOfRule(options.ruleName);
        const [first, second] = options.actual;
        if (rule === 'Block' && first?.tokenType.name === 'ID' && explainWord(first.image) === undefined) {
            return message(rule, second, first, expectationOf(rule));
        }
        return message(rule, first, options.previous, expectationOf(rule));
    }

    override buildEarlyExitMessage(options: Options<'buildEarlyExitMessage'>): string {
        const rule = nameOfRule(options.ruleName);
        return message(rule, options.actual[0], options.previous, expectationOf(rule));
    }
}

/** What the provider built, taken apart. `length` is 0 at the end of the file. */
export interface SyntaxError {
    readonly code: ProblemCode;
    readonly text: string;
    readonly offset: number;
    readonly length: number;
}

export function splitMessage(coded: string): SyntaxError {
    const end = coded.indexOf('\n');
    const [code, offset, length] = coded.slice(0, end).split(' ');
    return { code: code as ProblemCode, text: coded.slice(end + 1), offset: Number(offset), length: Number(length) };
}

/** Names of rules come with an invisible suffix. */
function nameOfRule(ruleName: string): string {
    return ruleName.replace(/\u200B$/, '');
}

function message(rule: string, found: Token | undefined, previous: Token | undefined, expected: string): string {
    const { code, text } = explain(rule, found, previous, expected);
    // A loop is where its first word is, although the parser stumbles over the second of a word that it does not know.
    const place = code === 'syntax/loop-in-step' && !LOOPS.has(found?.image ?? '') ? previous : found;
    if (place === undefined || Number.isNaN(place.startOffset)) {
        // The end of the file has no place of its own: point behind the last thing that is there.
        return `${code} ${(previous?.endOffset ?? -1) + 1} 0\n${text}`;
    }
    return `${code} ${place.startOffset} ${place.image.length}\n${text}`;
}

function explain(
    rule: string,
    found: Token | undefined,
    previous: Token | undefined,
    expected: string,
): { code: ProblemCode; text: string } {
    const image = found?.image ?? '';
    if (isLoopInStep(rule, image, previous)) {
        const text = 'a step must end, so it contains no loop; loops stand between steps';
        return { code: 'syntax/loop-in-step', text };
    }
    const known = explainWord(image);
    if (known !== undefined) {
        return known;
    }
    const text =
        specialMessage(rule, image, previous?.image ?? '', expected) ??
        `${expected} is expected here, but this is ${describeFound(found, expected)}`;
    return { code: text.includes(YET) ? 'syntax/later' : 'syntax/unexpected', text };
}

/** In each message about a part of the planned language. */
const YET = 'not part of the language yet';

const LOOPS: ReadonlySet<string> = new Set(['loop', 'while', 'for']);

function isLoopInStep(rule: string, image: string, previous: Token | undefined): boolean {
    const isBody = rule === 'Body' || rule === 'Statement' || rule === 'Assignment';
    return isBody && (LOOPS.has(image) || LOOPS.has(previous?.image ?? ''));
}

/** After these an expression begins. */
const BEFORE_EXPRESSION = new Set(
    '= := ( [ , when where if then else while assert + - * div mod == != < <= > >= && ||'.split(' '),
);

/** Mistakes that people make who come from another language, and parts of the language that are still to come. */
function specialMessage(rule: string, image: string, previous: string, expected: string): string | undefined {
    if (image === 'or') {
        return '“or” is written `||`';
    }
    if (previous === 'choose' || (previous === 'or' && rule === 'Block')) {
        return 'an alternative of `choose` stands in braces; choosing a value is not part of the language yet';
    }
    const isDeclaration = rule === 'Model' || rule === 'Declaration';
    switch (image) {
        case '=':
            if (expected === 'a type') {
                return undefined;
            }
            return expected === '`:=`' || rule === 'Block' || rule === 'Body'
                ? 'an assignment is written `:=`; `=` stands in declarations and `==` compares'
                : 'two values are compared with `==`; `=` stands in declarations';
        case ':=':
            return isDeclaration
                ? 'an initial value is written after `=`; `:=` assigns inside a step'
                : rule === 'Block'
                  ? 'after `when` an assignment stands in braces: `when guard { x := value }`'
                  : undefined;
        case 'any':
            return '`any` stands only after `=` in the declaration of a variable; inside a process use `choose`';
        case ';':
            return isDeclaration ? 'declarations end without `;`' : undefined;
        case '?':
            return rule === 'Block'
                ? 'a choice of values is written `if … then … else …`; receiving is not part of the language yet'
                : undefined;
        case '!':
            return rule === 'Block' ? 'sending to a channel is not part of the language yet' : undefined;
        case '[':
            return BEFORE_EXPRESSION.has(previous)
                ? 'array values are not part of the language yet; one value fills the whole array'
                : undefined;
        case '*':
            return expected === 'a type' ? 'array parameters are not part of the language yet' : undefined;
        case '(':
            return rule === 'Block' || rule === 'Body' || isDeclaration
                ? 'calling a function is not part of the language yet'
                : undefined;
        case '{':
            if (expected === 'a type') {
                return 'records are not part of the language yet';
            }
            return BEFORE_EXPRESSION.has(previous) ? 'sets are not part of the language yet' : undefined;
        case '>':
            return previous === '-'
                ? 'what a step does stands in braces after its guard: `when guard { … }`'
                : undefined;
        case 'in':
            return isDeclaration ? 'initial values from a set are not part of the language yet' : undefined;
        default:
            return BEFORE_EXPRESSION.has(previous) && expected === SOMETHING_ELSE
                ? 'an expression is expected here'
                : undefined;
    }
}

const SOMETHING_ELSE = 'something else';

/** What can stand where a rule found none of its alternatives. */
function expectationOf(rule: string): string {
    switch (rule) {
        case 'Model':
        case 'Declaration':
            return 'a declaration';
        case 'ElementType':
        case 'Type':
        case 'IndexType':
            return 'a type';
        case 'Bound':
        case 'BoundChain':
        case 'BoundOperand':
        case 'Operand':
        case 'Primary':
        case 'Expression':
        case 'OperatorChain':
            return 'an expression';
        case 'Block':
        case 'Control':
        case 'Step':
        case 'Labeled':
            return 'a step';
        case 'Body':
        case 'Statement':
            return 'a statement';
        case 'IfControl':
        case 'IfStatement':
            return '`{`';
        case 'Name':
            return 'a name';
        case 'Variable':
        case 'Parameter':
            return 'a value';
        default:
            return SOMETHING_ELSE;
    }
}

function describeExpected(expected: TokenType, rule: string): string {
    switch (expected.name) {
        case 'ID':
            return 'a name';
        case 'INT':
            return 'a number';
        case 'EOF':
            return 'a declaration';
        case '}':
            return rule === 'Block' ? 'a step or `}`' : rule === 'Body' ? 'a statement or `}`' : '`}`';
        default:
            return `\`${expected.name}\``;
    }
}

function describeFound(found: Token | undefined, expected: string): string {
    if (found === undefined || found.tokenType.name === 'EOF') {
        return 'the end of the file';
    }
    const image = found.image.length > 40 ? `${found.image.slice(0, 40)}…` : found.image;
    const isKeyword = found.tokenType.name === found.image && /^[a-z]+$/.test(found.image);
    return isKeyword && expected === 'a name' ? `\`${image}\`, a word of the language` : `\`${image}\``;
}
