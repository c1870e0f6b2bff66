/**
 * What a syntax error says: what was found and what can stand there, in the words of the language reference instead of
 * those of the parser.
 *
 * The parser's interface carries only a text, so the code of the problem travels in its first line;
 * `validation/syntax.ts` takes it off again.
 */
import { AbstractParserErrorMessageProvider } from 'langium';
import type { ProblemCode } from '../validation/codes.js';
import { laterConstruct } from './later-constructs.js';

type Options<Method extends keyof AbstractParserErrorMessageProvider> = Parameters<
    AbstractParserErrorMessageProvider[Method]
>[0];
type Token = Options<'buildMismatchTokenMessage'>['actual'];
type TokenType = Options<'buildMismatchTokenMessage'>['expected'];

export class OrbitParserErrorMessageProvider extends AbstractParserErrorMessageProvider {
    override buildMismatchTokenMessage(options: Options<'buildMismatchTokenMessage'>): string {
        return message(options.ruleName, options.actual, options.previous, describeExpected(options.expected));
    }

    override buildNotAllInputParsedMessage(options: Options<'buildNotAllInputParsedMessage'>): string {
        // Outside of every rule: Chevrotain passes no name then, whatever its types say.
        return message('Model', options.firstRedundant, undefined, 'a declaration');
    }

    override buildNoViableAltMessage(options: Options<'buildNoViableAltMessage'>): string {
        return message(options.ruleName, options.actual[0], options.previous, expectationOf(options.ruleName));
    }

    override buildEarlyExitMessage(options: Options<'buildEarlyExitMessage'>): string {
        return message(options.ruleName, options.actual[0], options.previous, expectationOf(options.ruleName));
    }
}

/** Splits what the provider built into the code and the text. */
export function splitMessage(coded: string): { code: ProblemCode; text: string } {
    const end = coded.indexOf('\n');
    return end < 0
        ? { code: 'syntax/unexpected', text: coded }
        : { code: coded.slice(0, end) as ProblemCode, text: coded.slice(end + 1) };
}

function message(rule: string, found: Token | undefined, previous: Token | undefined, expected: string): string {
    const image = found?.image ?? '';
    const later = laterConstruct(image) ?? (previous === undefined ? undefined : laterConstruct(previous.image));
    const ruleName = rule.replace(/\u200B$/, '');
    if (later !== undefined && !isLoopInStep(ruleName, image, previous)) {
        return coded('syntax/later', later);
    }
    if (isLoopInStep(ruleName, image, previous)) {
        return coded('syntax/loop-in-step', 'a step must end, so it contains no loop; loops stand between steps');
    }
    const special = specialMessage(ruleName, image, previous?.image ?? '', expected);
    return coded('syntax/unexpected', special ?? `${expected} is expected here, but this is ${describeFound(found)}`);
}

function coded(code: ProblemCode, text: string): string {
    return `${code}\n${text}`;
}

function isLoopInStep(rule: string, image: string, previous: Token | undefined): boolean {
    const isBody = rule === 'Body' || rule === 'Statement' || rule === 'Assignment';
    return isBody && ['loop', 'while', 'for'].some(word => word === image || word === previous?.image);
}

/** Mistakes that people make who come from another language. */
function specialMessage(rule: string, image: string, previous: string, expected: string): string | undefined {
    switch (image) {
        case '=':
            if (expected === '`:=`' || rule === 'Block' || rule === 'Body') {
                return 'an assignment is written `:=`; `=` stands in declarations and `==` compares';
            }
            return 'two values are compared with `==`; `=` stands in declarations';
        case ':=':
            return rule === 'Model' || rule === 'Declaration' || rule === 'Item'
                ? 'an initial value is written after `=`; `:=` assigns inside a step'
                : rule === 'Block'
                  ? 'after `when` an assignment stands in braces: `when guard { x := value }`'
                  : undefined;
        case 'any':
            return '`any` stands only after `=` in the declaration of a variable; inside a process use `choose`';
        case ';':
            return rule === 'Model' || rule === 'Declaration' ? 'declarations end without `;`' : undefined;
        case '?':
            return rule === 'Block' ? 'receiving from a channel is not part of the language yet' : undefined;
        case '!':
            return rule === 'Block' ? 'sending to a channel is not part of the language yet' : undefined;
        case '[':
            return rule === 'Operand' || rule === 'Primary'
                ? 'array values are not part of the language yet; one value fills the whole array'
                : undefined;
        case '{':
            return rule === 'Operand' || rule === 'Primary' ? 'sets are not part of the language yet' : undefined;
        default:
            break;
    }
    if (previous === 'choose' || (previous === 'or' && rule === 'Block')) {
        return 'an alternative of `choose` stands in braces; choosing a value is not part of the language yet';
    }
    return undefined;
}

/** What can stand where a rule found none of its alternatives. */
function expectationOf(rule: string): string {
    switch (rule.replace(/\u200B$/, '')) {
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
        case 'Item':
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
        default:
            return 'something else';
    }
}

function describeExpected(expected: TokenType): string {
    switch (expected.name) {
        case 'ID':
            return 'a name';
        case 'INT':
            return 'a number';
        case 'EOF':
            return 'the end of the file';
        default:
            return `\`${expected.name}\``;
    }
}

function describeFound(found: Token | undefined): string {
    if (found === undefined || found.tokenType.name === 'EOF') {
        return 'the end of the file';
    }
    return `\`${found.image.length > 40 ? `${found.image.slice(0, 40)}…` : found.image}\``;
}
