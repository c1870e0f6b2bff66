/**
 * Messages for syntax errors, in the words of the language reference instead of those of the parser.
 *
 * The parser's interface takes only a text, so the text is the error as JSON (`readMessage`). The place may differ from
 * the parser's: for `x = 1` the parser stops at `x`, since no step begins so, but the mistake is `=`.
 */
import { AbstractParserErrorMessageProvider } from 'langium';
import { asAdvice, instead, written, type Advice, type Remedy } from '../../language/problems/remedy.js';
import { TEMPORAL_WORDS } from './temporal-words.js';
import { explainWord, type Explanation } from './unknown-words.js';

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
        const isNamed = first?.tokenType.name === 'ID' && explainWord(first.image) === undefined;
        if (isNamed && (rule === 'Block' || rule === 'Statement')) {
            return message(rule, second, first, rule === 'Block' ? expectationOf(rule) : '`:=`');
        }
        return message(rule, first, options.previous, expectationOf(rule));
    }

    override buildEarlyExitMessage(options: Options<'buildEarlyExitMessage'>): string {
        const rule = nameOfRule(options.ruleName);
        return message(rule, options.actual[0], options.previous, expectationOf(rule));
    }
}

/** A syntax error at its place. `length` is 0 at the end of the file. */
export interface SyntaxError extends Explanation {
    readonly offset: number;
    readonly length: number;
    /** The parser stood between declarations. */
    readonly isBetweenDeclarations?: boolean;
}

/** The error of a message of the provider. */
export function readMessage(message: string): SyntaxError {
    return JSON.parse(message) as SyntaxError;
}

/** The parser appends an invisible character to names of rules. */
function nameOfRule(ruleName: string): string {
    return ruleName.replace(/\u200B$/, '');
}

function message(rule: string, found: Token | undefined, previous: Token | undefined, expected: string): string {
    const explained = explain(rule, found, previous, expected);
    // A loop is reported at its first word, although the parser may stop at the second one.
    const place = explained.code === 'syntax/loop-in-step' && found?.image !== 'loop' ? previous : found;
    const range =
        place === undefined || Number.isNaN(place.startOffset)
            ? // At the end of the file: behind the last token.
              { offset: (previous?.endOffset ?? -1) + 1, length: 0 }
            : { offset: place.startOffset, length: place.image.length };
    const error: SyntaxError = { ...explained, ...range, isBetweenDeclarations: isDeclaration(rule) };
    return JSON.stringify(error);
}

function explain(rule: string, found: Token | undefined, previous: Token | undefined, expected: string): Explanation {
    const image = found?.image ?? '';
    if (isLoopInStep(rule, image, previous)) {
        const text = 'a step must end, so it contains no `loop`; loops stand between steps, or are bounded by `while`';
        return { code: 'syntax/loop-in-step', text };
    }
    const known = explainWord(image);
    if (known !== undefined) {
        return known;
    }
    const special = specialMessage({ rule, image, previous: previous?.image ?? '', expected });
    if (special !== undefined) {
        return { code: 'syntax/unexpected', ...asAdvice(special) };
    }
    const text = `${expected} is expected here, but this is ${describeFound(found, expected)}`;
    const remedy = remedyFor(expected, found);
    return { code: 'syntax/unexpected', text, ...(remedy && { remedy }) };
}

/** Signs and words that are inserted if they are expected. */
const INSERTED = new Set(['`;`', '`:`', '`)`', '`]`', '`}`', '`=`', '`of`', '`in`', '`then`', '`else`']);
/** Words of declarations, where the text inside a process must have ended. */
const BEGIN_DECLARATIONS = new Set(
    (
        'invariant process function procedure type enum event channel param record import deadlock allow init property assume ' +
        'fair strong'
    ).split(' '),
);

function remedyFor(expected: string, found: Token | undefined): Remedy | undefined {
    if (expected.endsWith(' or `}`')) {
        const isAtEnd = found === undefined || found.tokenType.name === 'EOF';
        return isAtEnd || BEGIN_DECLARATIONS.has(found.image)
            ? { kind: 'close', text: isAtEnd ? '\n}\n' : '}\n\n' }
            : undefined;
    }
    const word = expected.slice(1, -1);
    return INSERTED.has(expected) ? { kind: 'insert', text: /^\w/.test(word) ? `${word} ` : word } : undefined;
}

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

/** Tokens before an expression. */
const BEFORE_EXPRESSION = new Set([
    ...'= := ( [ , when where if then else while assert return init'.split(' '),
    ...'+ - * div mod == != < <= > >= && || implies'.split(' '),
    ...TEMPORAL_WORDS,
]);

/** Tokens at the beginning of a condition that cannot be the name of a property. */
const BEGIN_CONDITIONS = new Set('( ! - if forall exists count sum min max'.split(' '));
/** Tokens of a condition after a name. `==` may also be a mistake for `=`. */
const IN_CONDITIONS = new Set('( [ . + - * != < <= > >= && || implies in at'.split(' '));

/** Messages for declarations without a name, by their rules. */
const STATED: Readonly<Record<string, string>> = {
    Invariant: 'an invariant has a name: `invariant name = condition`',
    Property: 'a property has a name: `property name = …`',
    Assumption: 'an assumption has a name: `assume name = …`',
};

/** The place of a syntax error: the rule, the token found there, the one before it, and the one expected. */
interface Place {
    readonly rule: string;
    readonly image: string;
    readonly previous: string;
    readonly expected: string;
}

/** The message for a mistake that is usual after another language. */
function specialMessage(place: Place): string | Advice | undefined {
    const { rule, image, previous, expected } = place;
    if (image === 'or') {
        return written('“or”', '||');
    }
    if (previous === 'choose' || (previous === 'or' && (rule === 'Block' || rule === 'Choose'))) {
        return 'an alternative of `choose` is a block in braces, or one for each value: `x in T { … }`';
    }
    if (image.startsWith('"')) {
        return previous === 'import' ? undefined : 'the language has no texts; name values in an `enum`';
    }
    const stated = Object.hasOwn(STATED, rule) ? STATED[rule] : undefined;
    if (stated !== undefined && IN_CONDITIONS.has(image)) {
        return stated;
    }
    if (previous === 'invariant' && BEGIN_CONDITIONS.has(image)) {
        return STATED.Invariant;
    }
    if ((rule === 'ChannelDeclaration' && expected === '`of`') || rule === 'Channel') {
        return 'a channel says how many messages it holds, and of which type: `channel name: 1 of T`';
    }
    if (isStatement(rule) && Object.hasOwn(BETWEEN_STEPS, image)) {
        return BETWEEN_STEPS[image];
    }
    if (Object.hasOwn(BY_TOKEN, image)) {
        return BY_TOKEN[image]?.(place);
    }
    return BEFORE_EXPRESSION.has(previous) && expected === SOMETHING_ELSE
        ? 'an expression is expected here'
        : undefined;
}

/** The messages that depend first on the token found. */
const BY_TOKEN: Readonly<Record<string, (place: Place) => string | Advice | undefined>> = {
    ':': ({ rule }) =>
        isStatement(rule)
            ? 'a label stands before a step, not inside of its body; the alternatives of a `choose` are joined by `or`'
            : rule === 'Invariant'
              ? 'an invariant is written `invariant name = condition`'
              : undefined,
    then: ({ rule, expected }) =>
        expected === '`{`'
            ? 'a block follows its condition directly, without `then`'
            : rule === 'Block'
              ? 'what a step does stands in braces after its guard: `when guard { … }`'
              : undefined,
    '=': explainEqualSign,
    '==': ({ rule }) =>
        rule === 'Block'
            ? 'waiting is written `when condition`, and an assignment `:=`'
            : isStatement(rule)
              ? instead('an assignment is written `:=`; `==` compares', ':=')
              : undefined,
    ':=': ({ rule }) =>
        isDeclaration(rule)
            ? instead('an initial value is written after `=`; `:=` assigns inside a step', '=')
            : rule === 'Block'
              ? 'after `when` an assignment stands in braces: `when guard { x := value }`'
              : undefined,
    '+': explainIncrement,
    '-': explainIncrement,
    bool: ({ rule }) => (isDeclaration(rule) ? 'a variable is declared by `var name: bool`' : undefined),
    of: ({ rule }) => (isDeclaration(rule) ? 'an array is written `T[I]`, first the type of its cells' : undefined),
    any: () => '`any` is an initial value or a part of one; inside a process use `choose`',
    ';': ({ rule }) =>
        isDeclaration(rule)
            ? instead('declarations end without `;`', '')
            : rule === 'Block' || rule === 'Body'
              ? instead('`;` stands between two steps, and there is none before it', '')
              : undefined,
    '?': ({ rule }) =>
        rule === 'Block'
            ? 'a choice of values is written `if … then … else …`'
            : isDeclaration(rule)
              ? 'a choice of values is written `if … then … else …`, and `?` of a type stands before its indices: `T?[I]`'
              : undefined,
    '(': explainParenthesis,
    ',': ({ rule }) => (rule === 'LoopVariable' ? '`for` has one variable; put one `for` into the other' : undefined),
    where: ({ rule, expected }) =>
        rule === 'Block' && expected === '`{`'
            ? 'between steps a loop has no `where`; put an `if` into it, or all rounds into the body of one step'
            : undefined,
    return: ({ rule }) =>
        rule === 'Block' ? '`return` stands in the body of a function; a process ends with `terminate`' : undefined,
    '{': ({ expected }) => (expected === 'a type' ? 'a record gets a name first: `record R = { … }`' : undefined),
    '.': () => 'numbers are integers, and a range is written `low .. high`',
};

function explainEqualSign({ rule, expected }: Place): string | Advice | undefined {
    if (rule === 'LoopVariable') {
        return '`for` goes through a type: `for i in 0 .. 2 { … }`';
    }
    if (expected === '`:`') {
        return WITHOUT_TYPE[rule];
    }
    if (expected === 'a type' || expected === 'a name') {
        return undefined;
    }
    // After the condition of a test a block is expected.
    return (expected === '`:=`' || rule === 'Block' || rule === 'Body') && expected !== '`{`'
        ? instead('an assignment is written `:=`; `=` stands in declarations and `==` compares', ':=')
        : EQUALITY;
}

/** The advice where `=` stands between two values. */
export const EQUALITY = instead('two values are compared with `==`; `=` stands in declarations', '==');

function explainIncrement({ rule }: Place): string | undefined {
    return rule === 'Block' || isStatement(rule) ? 'what a variable becomes is written out: `x := x + 1`' : undefined;
}

function explainParenthesis({ rule, expected }: Place): string | undefined {
    if (rule === 'Block' && expected === '`{`') {
        return (
            'a process has either indices in brackets, and all its instances are there from the start, ' +
            'or parameters in parentheses, and `spawn` creates them'
        );
    }
    if (isDeclaration(rule)) {
        return 'indices stand in brackets: `e[T]`';
    }
    return rule === 'Block' || isStatement(rule)
        ? 'a procedure is called in a body or as a step of its own; behind a guard it stands in braces: `when guard { f(x) }`'
        : undefined;
}

/** Messages for declarations without a type, by their rules. */
const WITHOUT_TYPE: Readonly<Record<string, string>> = {
    Variable: 'a variable has a type: `var name: 0 .. 7 = value`',
    Parameter: 'a parameter has a type: `param name: 0 .. 7 = value`',
    FunctionDeclaration: 'the type of what a function gives stands before `=`: `function f(x: T): T = value`',
};

/** Messages for tokens that can stand between steps but not in one. */
const BETWEEN_STEPS: Readonly<Record<string, string | Advice>> = {
    when: 'nothing waits inside a step; the guard stands before its body: `when guard { … }`',
    choose: 'a body has one way to run; `choose` stands around steps: `choose x in T { … }`',
    break: '`break` leaves a loop between steps; a `while` inside a step ends by its condition',
    terminate: '`terminate` stands between steps',
    '!': 'sending is a step of its own, outside of the braces: `c ! message { … }`',
    '?': 'receiving is a step of its own, outside of the braces: `c ? pattern { … }`',
    const: instead('inside a step a name for an expression is declared with `let`', 'let'),
};

const SOMETHING_ELSE = 'something else';

/** The rules of the grammar by the words for all their alternatives. */
const RULES: Readonly<Record<string, string>> = {
    'a declaration': 'Model Declaration',
    'a type':
        'ElementType Type IndexType RangeType ChannelType SetType BagType BinderType RecordDeclaration TypeDeclaration',
    'a type or a set': 'BinderGroup LoopVariable',
    'an expression':
        'Bound BoundChain BoundOperand Operand Primary Expression OperatorChain Sum SumChain Access AccessBase ' +
        'BoundCall SetLiteral SetElement SetComprehension ArrayLiteral Comprehension',
    'a step': 'Block Control Step Labeled',
    'a statement': 'Body Statement',
    '`{`': 'IfControl IfStatement Choose Alternative',
    'a pattern': 'Pattern WildcardPattern RecordPattern ExpressionPattern',
    '`=` or `{`': 'FunctionDeclaration',
    'a name': 'Name',
    'a value': 'Variable Parameter',
};

const EXPECTATIONS: ReadonlyMap<string, string> = new Map(
    Object.entries(RULES).flatMap(([text, rules]) => rules.split(' ').map(rule => [rule, text] as const)),
);

/** The words for the alternatives of a rule. */
function expectationOf(rule: string): string {
    return EXPECTATIONS.get(rule) ?? SOMETHING_ELSE;
}

function describeExpected(expected: TokenType, rule: string): string {
    switch (expected.name) {
        case 'ID':
            return 'a name';
        case 'INT':
            return 'a number';
        case 'STRING':
            return `${rule === 'Import' ? 'the name of a file' : 'a text'} in quotation marks`;
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
