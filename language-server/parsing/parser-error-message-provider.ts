/**
 * What a syntax error says: what was found and what can stand there, in the words of the language reference instead of
 * those of the parser.
 *
 * The parser's interface carries only a text, so the code of the problem and its place travel in the first line;
 * `splitMessage` takes them off again. The place is not always the parser's: of `x = 1` it dislikes `x`, because no
 * step begins like that, but a reader finds the mistake at `=`.
 */
import { AbstractParserErrorMessageProvider } from 'langium';
import type { ProblemCode } from '../problems/codes.js';
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
    const place = code === 'syntax/loop-in-step' && found?.image !== 'loop' ? previous : found;
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
        const text = 'a step must end, so it contains no `loop`; loops stand between steps, or are bounded by `while`';
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

function isLoopInStep(rule: string, image: string, previous: Token | undefined): boolean {
    return isStatement(rule) && (image === 'loop' || previous?.image === 'loop');
}

/** Rules inside the body of a step or a function. */
function isStatement(rule: string): boolean {
    return rule === 'Body' || rule === 'Statement' || rule === 'Assignment';
}

function isDeclaration(rule: string): boolean {
    return rule === 'Model' || rule === 'Declaration';
}

/** After these an expression begins. */
const BEFORE_EXPRESSION = new Set(
    '= := ( [ , when where if then else while assert return init + - * div mod == != < <= > >= && || implies'.split(
        ' ',
    ),
);

/** No invariant has such a name. */
const BEGIN_CONDITIONS = new Set('( ! - if forall exists count sum min max'.split(' '));
/** After a name these belong to a condition; `==` may also stand for `=`. */
const IN_CONDITIONS = new Set('( [ . + - * != < <= > >= && || implies in at'.split(' '));

/** Mistakes that people make who come from another language. */
function specialMessage(rule: string, image: string, previous: string, expected: string): string | undefined {
    if (image === 'or') {
        return '“or” is written `||`';
    }
    if (previous === 'choose' || (previous === 'or' && (rule === 'Block' || rule === 'Choose'))) {
        return 'an alternative of `choose` is a block in braces, or one for each value: `x in T { … }`';
    }
    if (image.startsWith('"')) {
        return previous === 'import' ? undefined : 'the language has no texts; name values in an `enum`';
    }
    if (rule === 'Invariant' ? IN_CONDITIONS.has(image) : previous === 'invariant' && BEGIN_CONDITIONS.has(image)) {
        return 'an invariant has a name: `invariant name = condition`';
    }
    if (rule === 'ChannelDeclaration' && expected === '`of`') {
        return 'a channel says how many messages it holds, and of which type: `channel name: 1 of T`';
    }
    if (isStatement(rule) && Object.hasOwn(BETWEEN_STEPS, image)) {
        return BETWEEN_STEPS[image];
    }
    switch (image) {
        case ':':
            return isStatement(rule)
                ? 'a label stands before a step, not inside of its body; the alternatives of a `choose` are joined by `or`'
                : rule === 'Invariant'
                  ? 'an invariant is written `invariant name = condition`'
                  : undefined;
        case 'then':
            return expected === '`{`'
                ? 'a block follows its condition directly, without `then`'
                : rule === 'Block'
                  ? 'what a step does stands in braces after its guard: `when guard { … }`'
                  : undefined;
        case '=':
            if (rule === 'LoopVariable') {
                return '`for` goes through a type: `for i in 0 .. 2 { … }`';
            }
            if (expected === '`:`') {
                return WITHOUT_TYPE[rule];
            }
            if (expected === 'a type' || expected === 'a name') {
                return undefined;
            }
            // Behind the condition of a test a block is expected.
            return (expected === '`:=`' || rule === 'Block' || rule === 'Body') && expected !== '`{`'
                ? 'an assignment is written `:=`; `=` stands in declarations and `==` compares'
                : 'two values are compared with `==`; `=` stands in declarations';
        case '==':
            return rule === 'Block'
                ? 'waiting is written `when condition`, and an assignment `:=`'
                : isStatement(rule)
                  ? 'an assignment is written `:=`; `==` compares'
                  : undefined;
        case ':=':
            return isDeclaration(rule)
                ? 'an initial value is written after `=`; `:=` assigns inside a step'
                : rule === 'Block'
                  ? 'after `when` an assignment stands in braces: `when guard { x := value }`'
                  : undefined;
        case '+':
        case '-':
            return rule === 'Block' || isStatement(rule)
                ? 'what a variable becomes is written out: `x := x + 1`'
                : undefined;
        case 'bool':
            return isDeclaration(rule) ? 'a variable is declared by `var name: bool`' : undefined;
        case 'of':
            return isDeclaration(rule) ? 'an array is written `T[I]`, first the type of its cells' : undefined;
        case 'any':
            return '`any` stands only after `=` in the declaration of a variable; inside a process use `choose`';
        case ';':
            return isDeclaration(rule)
                ? 'declarations end without `;`'
                : rule === 'Block' || rule === 'Body'
                  ? '`;` stands between two steps, and there is none before it'
                  : undefined;
        case '?':
            return rule === 'Block' || isDeclaration(rule)
                ? 'a choice of values is written `if … then … else …`'
                : undefined;
        case '(':
            if (rule === 'Block' && expected === '`{`') {
                return (
                    'processes with parameters that are created in a run are not part of the language yet; ' +
                    'a family is written `process P[i: T]`'
                );
            }
            if (isDeclaration(rule)) {
                return 'indices stand in brackets: `e[T]`';
            }
            return rule === 'Block' || isStatement(rule)
                ? 'a call is part of an expression and ends with `)`; alone it does nothing'
                : undefined;
        case ',':
            return rule === 'LoopVariable' ? '`for` has one variable; put one `for` into the other' : undefined;
        case 'return':
            return rule === 'Block'
                ? '`return` stands in the body of a function; a process ends with `terminate`'
                : undefined;
        case '{':
            return expected === 'a type' ? 'a record gets a name first: `record R = { … }`' : undefined;
        case '.':
            return 'numbers are integers, and a range is written `low .. high`';
        default:
            return BEFORE_EXPRESSION.has(previous) && expected === SOMETHING_ELSE
                ? 'an expression is expected here'
                : undefined;
    }
}

/** What is declared without a type, by the rule of its declaration. */
const WITHOUT_TYPE: Readonly<Record<string, string>> = {
    Variable: 'a variable has a type: `var name: 0 .. 7 = value`',
    Parameter: 'a parameter has a type: `param name: 0 .. 7 = value`',
    FunctionDeclaration: 'the type of what a function gives stands before `=`: `function f(x: T): T = value`',
};

/** What can stand between steps but not in one, and how it is said in one. */
const BETWEEN_STEPS: Readonly<Record<string, string>> = {
    when: 'nothing waits inside a step; the guard stands before its body: `when guard { … }`',
    choose: 'a body has one way to run; `choose` stands around steps: `choose x in T { … }`',
    break: '`break` leaves a loop between steps; a `while` inside a step ends by its condition',
    terminate: '`terminate` stands between steps',
    '!': 'sending is a step of its own, outside of the braces: `c ! message { … }`',
    '?': 'receiving is a step of its own, outside of the braces: `c ? pattern { … }`',
    const: 'inside a step a name for an expression is declared with `let`',
};

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
        case 'RangeType':
        case 'ChannelType':
            return 'a type';
        case 'Bound':
        case 'BoundChain':
        case 'BoundOperand':
        case 'Operand':
        case 'Primary':
        case 'Expression':
        case 'OperatorChain':
        case 'Sum':
        case 'SumChain':
        case 'Access':
        case 'AccessBase':
        case 'BoundCall':
        case 'SetLiteral':
        case 'SetElement':
        case 'ArrayLiteral':
        case 'Comprehension':
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
        case 'Choose':
        case 'Alternative':
            return '`{`';
        case 'Pattern':
        case 'WildcardPattern':
        case 'RecordPattern':
        case 'ExpressionPattern':
            return 'a pattern';
        case 'FunctionDeclaration':
            return '`=` or `{`';
        case 'RecordDeclaration':
        case 'TypeDeclaration':
            return 'a type';
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
        case 'STRING':
            return 'the name of a file in quotation marks';
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
