/** Recursive descent, one function for each rule. Wrong texts throw a SyntaxError. A step remembers where it begins. */
import type {
    Alternative,
    BinaryOperator,
    Binder,
    Communication,
    Control,
    Declaration,
    Expression,
    IndexType,
    Model,
    Pattern,
    PlaceExpression,
    Quantifier,
    SetElement,
    Statement,
    Step,
    Type,
    Variable,
} from './syntax.js';

interface Token {
    readonly kind: 'integer' | 'name' | 'string' | 'symbol' | 'end';
    readonly text: string;
    readonly line: number;
    readonly character: number;
}

const TOKEN =
    /(\s+|\/\/[^\n]*|\/\*[^]*?\*\/)|(\d+)|([A-Za-z_]\w*)|("[^"\n]*")|(\.\.|:=|&&|\|\||==|!=|<=|>=|[-+*<>=!?:;,.(){}[\]])/y;

/** Binds tighter further down; all associate to the left except `implies`. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
    ['implies'],
    ['||'],
    ['&&'],
    ['==', '!=', '<', '<=', '>', '>=', 'in', 'subset', 'is'],
    ['+', '-', 'union', 'minus'],
    ['*', 'div', 'mod', 'intersect'],
];
const SUM_LEVEL = 4;

/** After a guard, words that begin the next item and so name no event. */
const ITEM_WORDS = ['loop', 'while', 'for', 'if', 'choose', 'break', 'terminate', 'var', 'const', 'let'];

export function parseModel(text: string): Model {
    const tokens = withoutRuns(tokenize(text));
    let next = 0;

    const peek = (ahead = 0): Token => tokens[Math.min(next + ahead, tokens.length - 1)]!;
    const is = (text: string, ahead = 0): boolean => peek(ahead).kind !== 'end' && peek(ahead).text === text;
    const fail = (wanted: string): never => {
        throw new SyntaxError(`${peek().line + 1}:${peek().character + 1}: ${wanted} expected, not '${peek().text}'`);
    };
    const accept = (text: string): boolean => {
        const found = is(text);
        next += found ? 1 : 0;
        return found;
    };
    const expect = (text: string): void => {
        if (!accept(text)) {
            fail(`'${text}'`);
        }
    };
    const name = (): string => (peek().kind === 'name' ? tokens[next++]!.text : fail('a name'));
    const string = (): string => (peek().kind === 'string' ? tokens[next++]!.text.slice(1, -1) : fail('a text'));
    function list<T>(read: () => T): T[] {
        const items = [read()];
        while (accept(',')) {
            items.push(read());
        }
        return items;
    }
    /** What `read` finds, or undefined where the text does not go on like that. */
    function attempt<T>(read: () => T): T | undefined {
        const start = next;
        try {
            return read();
        } catch (error) {
            if (error instanceof SyntaxError) {
                next = start;
                return undefined;
            }
            throw error;
        }
    }

    const model: Model = { name: accept('model') ? name() : '', declarations: declarations() };
    return model;

    function declarations(): Declaration[] {
        const found: Declaration[] = [];
        while (peek().kind !== 'end') {
            found.push(declaration());
        }
        return found;
    }

    function declaration(): Declaration {
        switch (name()) {
            case 'param': {
                const declared = name();
                expect(':');
                const parameter = type();
                expect('=');
                return { kind: 'param', name: declared, type: parameter, value: expression() };
            }
            case 'const': {
                const declared = name();
                const declaredType = accept(':') ? type() : undefined;
                expect('=');
                return {
                    kind: 'const',
                    name: declared,
                    ...(declaredType && { type: declaredType }),
                    value: expression(),
                };
            }
            case 'type': {
                const declared = name();
                expect('=');
                return is('{') ? record(declared) : { kind: 'type', name: declared, type: type() };
            }
            case 'record': {
                const declared = name();
                expect('=');
                return record(declared);
            }
            case 'enum': {
                const declared = name();
                expect('=');
                expect('{');
                const cases = list(caseWithFields);
                expect('}');
                return cases.some(({ fields }) => fields.length > 0)
                    ? { kind: 'cases', name: declared, cases }
                    : { kind: 'enum', name: declared, values: cases.map(each => each.name) };
            }
            case 'var':
                return { kind: 'var', variable: variable() };
            case 'constraint':
                return { kind: 'constraint', condition: expression() };
            case 'init':
                return (
                    attempt((): Declaration => {
                        const declared = name();
                        const hasBinders = accept('[');
                        const indices = hasBinders ? list(field) : [];
                        const where = hasBinders && accept('where') && { where: expression() };
                        if (hasBinders) {
                            expect(']');
                        }
                        return { kind: 'start', name: declared, binders: indices, ...where, body: body() };
                    }) ?? { kind: 'init', condition: expression() }
                );
            case 'channel': {
                const declared = name();
                const indices = indexTypes().map(closed);
                expect(':');
                const isBag = is('bag') && !is('of', 1) && accept('bag');
                const capacity = infix(SUM_LEVEL);
                expect('of');
                const common = { name: declared, indices, capacity, message: type(), ...(isBag && { isBag }) };
                return { kind: 'channel', ...common, ...(accept('=') && { initial: expression() }) };
            }
            case 'event':
                return { kind: 'event', name: name(), arguments: indexTypes().map(closed) };
            case 'function': {
                const declared = name();
                expect('(');
                const parameters = is(')') ? [] : list(field);
                expect(')');
                expect(':');
                const result = type();
                const statements: readonly Statement[] = accept('=')
                    ? [{ kind: 'return', value: expression() }]
                    : body();
                return { kind: 'function', name: declared, parameters, result, body: statements };
            }
            case 'procedure': {
                const declared = name();
                expect('(');
                const parameters = is(')') ? [] : list(() => ({ isPlace: accept('var'), ...field() }));
                expect(')');
                return { kind: 'procedure', name: declared, parameters, body: body() };
            }
            case 'invariant': {
                const declared = name();
                expect('=');
                return { kind: 'invariant', name: declared, expression: expression() };
            }
            case 'allow':
                expect('deadlock');
                return { kind: 'allow deadlock' };
            case 'deadlock':
                expect('free');
                return { kind: 'deadlock free' };
            case 'assert': {
                expect('symmetric');
                // A family may be called `values`.
                const first = name();
                return first === 'values' && accept('of')
                    ? { kind: 'assert symmetric', ofValues: true, name: name() }
                    : { kind: 'assert symmetric', ofValues: false, name: first };
            }
            case 'process': {
                const declared = name();
                let indices: Binder[] = [];
                let where: Expression | undefined;
                if (accept('(')) {
                    const parameters = is(')') ? [] : list(field);
                    expect(')');
                    return { kind: 'process', name: declared, indices, parameters, body: block() };
                }
                if (accept('[')) {
                    indices = list(field);
                    where = accept('where') ? expression() : undefined;
                    expect(']');
                }
                return { kind: 'process', name: declared, indices, ...(where && { where }), body: block() };
            }
            default:
                next--;
                return fail('a declaration');
        }
    }

    function record(declared: string): Declaration {
        expect('{');
        const fields = list(field);
        const where = accept('where') ? expression() : undefined;
        expect('}');
        return { kind: 'record', name: declared, fields, ...(where && { where }) };
    }

    function caseWithFields(): Extract<Declaration, { kind: 'cases' }>['cases'][number] {
        const declared = name();
        const fields = accept('(') ? list(field) : undefined;
        if (fields !== undefined) {
            expect(')');
        }
        return { kind: 'record', name: declared, fields: fields ?? [] };
    }

    function field(): Binder {
        const declared = name();
        expect(':');
        return { name: declared, type: type() };
    }

    function variable(): Variable {
        const declared = name();
        expect(':');
        const declaredType = element();
        const indices = indexTypes();
        const common = { name: declared, type: declaredType, indices };
        if (accept('in')) {
            return { ...common, initial: { kind: 'in', choices: expression() } };
        }
        if (!accept('=')) {
            return { ...common, initial: { kind: 'default' } };
        }
        if (accept('any')) {
            return { ...common, initial: { kind: 'any' } };
        }
        return { ...common, initial: { kind: 'value', value: expression() } };
    }

    function type(): Type {
        const inner = element();
        const indices = indexTypes();
        return indices.length === 0 ? inner : { kind: 'array', element: inner, indices };
    }

    function element(): Type {
        if (is('set') && is('of', 1)) {
            next += 2;
            return { kind: 'set', member: element() };
        }
        if (accept('channel')) {
            expect('of');
            return { kind: 'channel', message: element() };
        }
        if (isCollection()) {
            const kind = name() === 'seq' ? 'sequence' : 'bag';
            const most = infix(SUM_LEVEL, true);
            expect('of');
            return { kind, most, member: element() };
        }
        let found: Type;
        if (accept('bool')) {
            found = { kind: 'bool' };
        } else {
            const low = infix(SUM_LEVEL, true);
            if (accept('..')) {
                found = { kind: 'range', low, high: infix(SUM_LEVEL, true) };
            } else if (low.kind === 'name') {
                found = { kind: 'named', name: low.name };
            } else {
                return fail('a type');
            }
        }
        return accept('?') ? { kind: 'optional', base: found } : found;
    }

    function isCollection(): boolean {
        return (is('seq') || is('bag')) && (['integer', 'name'].includes(peek(1).kind) || is('(', 1));
    }

    /** `T[I][J]` is `T[I, J]`, and `T[3]` is `T[0 .. 2]`. */
    function indexTypes(): IndexType[] {
        const found: IndexType[] = [];
        while (accept('[')) {
            found.push(
                ...list((): IndexType => {
                    if (accept('*')) {
                        return { kind: 'open' };
                    }
                    if (peek().kind === 'integer' && (is(',', 1) || is(']', 1))) {
                        const high = Number(tokens[next++]!.text) - 1;
                        return { kind: 'range', low: literal(0), high: literal(high) };
                    }
                    return element();
                }),
            );
            expect(']');
        }
        return found;
    }

    function closed(index: IndexType): Type {
        return index.kind === 'open' ? fail('an index type') : index;
    }

    function block(): Control[] {
        const items: Control[] = [];
        expect('{');
        while (!accept('}')) {
            items.push(item());
            accept(';');
        }
        return items;
    }

    function item(): Control {
        const isEnd = is('end') && peek(1).kind === 'name' && is(':', 2);
        if (isEnd || (peek().kind === 'name' && is(':', 1))) {
            next += isEnd ? 1 : 0;
            const label = name();
            expect(':');
            return { kind: 'labeled', label, isEnd, control: item() };
        }
        if (accept('loop')) {
            return { kind: 'loop', body: block() };
        }
        if (accept('while')) {
            return { kind: 'while', condition: expression(), body: block() };
        }
        if (accept('for')) {
            return { kind: 'for', binder: loopVariable(), body: block() };
        }
        if (accept('if')) {
            return conditional();
        }
        if (accept('choose')) {
            const alternatives = [alternative()];
            while (accept('or')) {
                alternatives.push(alternative());
            }
            return { kind: 'choose', alternatives };
        }
        if (accept('break')) {
            return { kind: 'break' };
        }
        if (accept('terminate')) {
            return { kind: 'terminate' };
        }
        if (accept('var')) {
            return { kind: 'declare', variable: variable() };
        }
        if (is('const') || is('let')) {
            const kind = name() as 'const' | 'let';
            const declared = name();
            expect('=');
            return { kind, name: declared, value: expression() };
        }
        return step();
    }

    function alternative(): Alternative {
        if (is('{')) {
            return { binders: [], body: block() };
        }
        return { ...binders(), body: block() };
    }

    function loopVariable(): Binder {
        const declared = name();
        expect('in');
        return { name: declared, type: bound() };
    }

    /** What stands behind `in`: a name that no type has, an element, a set in braces or in parentheses is a set. */
    function bound(): Type {
        const isOfType =
            peek().kind === 'integer' ||
            is('-') ||
            is('bool') ||
            is('channel') ||
            (is('set') && is('of', 1)) ||
            isCollection();
        const isSet = is('{') || (peek().kind === 'name' && (is('[', 1) || is('.', 1) || !isTypeName(peek().text)));
        if (isOfType || is('..', 1) || (!isSet && !is('('))) {
            return type();
        }
        return { kind: 'members', of: is('{') ? operand(false) : postfix() };
    }

    function isTypeName(text: string): boolean {
        return tokens.some(
            ({ text: word }, index) =>
                ['type', 'record', 'enum', 'process'].includes(word) && tokens[index + 1]?.text === text,
        );
    }

    function conditional(): Control {
        const condition = expression();
        const then = block();
        const otherwise = !accept('else') ? [] : accept('if') ? [conditional()] : block();
        return { kind: 'if', condition, then, otherwise };
    }

    function step(): Step {
        const position = { line: peek().line, character: peek().character };
        const guard = accept('when') ? expression() : undefined;
        let communication: Communication | undefined;
        let statements: Statement[] = [];
        if (accept('skip')) {
            statements = is('{') ? body() : [];
        } else if (is('assert') || isSpawn() || (guard === undefined && isCall())) {
            statements = [statement()];
        } else if (is('{')) {
            statements = body();
        } else if (peek().kind === 'name' && !(guard !== undefined && ITEM_WORDS.includes(peek().text))) {
            const target = place();
            if (accept(':=')) {
                statements = [assignment(target)];
            } else {
                if (accept('!')) {
                    communication = { kind: 'send', channel: target, message: expression() };
                } else if (accept('?')) {
                    communication = { kind: 'receive', channel: target, pattern: pattern() };
                } else if (target.kind === 'name') {
                    communication = { kind: 'event', name: target.name, arguments: target.indices };
                } else {
                    fail('an event');
                }
                statements = is('{') ? body() : [];
            }
        } else if (guard === undefined) {
            fail('a step');
        }
        return {
            kind: 'step',
            ...(guard && { guard }),
            ...(communication && { communication }),
            body: statements,
            position,
        };
    }

    function pattern(): Pattern {
        if (accept('_')) {
            return { kind: 'any' };
        }
        const parts = attempt(() => {
            expect('(');
            const found = list(pattern);
            expect(')');
            return found.length > 1 ? found : fail('a second part');
        });
        if (parts !== undefined) {
            return { kind: 'record', parts };
        }
        // Without `==` inside it is an expression.
        const constructed = attempt(() => {
            const called = name();
            expect('(');
            const inside = list(pattern);
            expect(')');
            return inside.some(part => part.kind === 'expression' && part.equal)
                ? { name: called, parts: inside }
                : fail('a part that is equal');
        });
        if (constructed !== undefined) {
            return { kind: 'record', ...constructed };
        }
        const equal = accept('==');
        const value = infix(SUM_LEVEL);
        return { kind: 'expression', equal, value };
    }

    function body(): Statement[] {
        const statements: Statement[] = [];
        expect('{');
        while (!accept('}')) {
            statements.push(statement());
            accept(';');
        }
        return statements;
    }

    function statement(): Statement {
        if (accept('skip')) {
            return { kind: 'skip' };
        }
        if (accept('assert')) {
            const condition = expression();
            return { kind: 'assert', condition, ...(accept(',') && { text: string() }) };
        }
        if (accept('return')) {
            return { kind: 'return', value: expression() };
        }
        if (accept('let')) {
            const declared = name();
            expect('=');
            return { kind: 'let', name: declared, value: expression() };
        }
        if (accept('var')) {
            return { kind: 'var', variable: variable() };
        }
        if (accept('while')) {
            return { kind: 'while', condition: expression(), body: body() };
        }
        if (accept('for')) {
            const binder = loopVariable();
            const over = binder.type.kind === 'members' ? { over: binder.type.of } : {};
            return { kind: 'for', binder, ...over, ...(accept('where') && { where: expression() }), body: body() };
        }
        if (accept('if')) {
            const condition = expression();
            const then = body();
            const otherwise = !accept('else') ? [] : is('if') ? [statement()] : body();
            return { kind: 'if', condition, then, otherwise };
        }
        if (isSpawn()) {
            return spawn();
        }
        if (isCall()) {
            return call();
        }
        const target = place();
        expect(':=');
        return assignment(target);
    }

    function assignment(target: PlaceExpression): Statement {
        if (isSpawn()) {
            return { ...spawn(), target };
        }
        const value = expression();
        const change = changeOf(target, value);
        return change ?? { kind: 'assign', target, value };
    }

    function changeOf(target: PlaceExpression, value: Expression): Statement | undefined {
        if (value.kind !== 'binary' || (value.operator !== 'union' && value.operator !== 'minus')) {
            return undefined;
        }
        if (JSON.stringify(value.left) !== JSON.stringify(target) || value.right.kind !== 'set') {
            return undefined;
        }
        const [only, ...others] = value.right.elements;
        const isOne = only !== undefined && only.high === undefined && others.length === 0;
        const { operator } = value;
        return isOne ? { kind: 'change', target, operator, element: only.low } : undefined;
    }

    function isSpawn(): boolean {
        return is('spawn') && peek(1).kind === 'name' && is('(', 2);
    }

    function isCall(): boolean {
        return peek().kind === 'name' && is('(', 1);
    }

    function call(): Statement {
        const procedure = name();
        expect('(');
        const given = is(')') ? [] : list(expression);
        expect(')');
        return { kind: 'run', procedure, arguments: given };
    }

    function spawn(): Extract<Statement, { kind: 'spawn' }> {
        expect('spawn');
        const template = name();
        expect('(');
        const values = is(')') ? [] : list(expression);
        expect(')');
        return { kind: 'spawn', template, arguments: values };
    }

    function place(): PlaceExpression {
        let found: PlaceExpression = { kind: 'name', name: name(), indices: elementIndices() };
        while (accept('.')) {
            found = { kind: 'field', record: found, field: name(), indices: elementIndices() };
        }
        return found;
    }

    /** `x[i][j]` is `x[i, j]`. */
    function elementIndices(): Expression[] {
        const found: Expression[] = [];
        while (accept('[')) {
            found.push(...list(expression));
            expect(']');
        }
        return found;
    }

    function expression(): Expression {
        return infix(0);
    }

    /** Inside a type nothing is indexed. */
    function infix(level: number, inType = false): Expression {
        const operators = LEVELS[level];
        if (operators === undefined) {
            return operand(inType);
        }
        let left = infix(level + 1, inType);
        for (;;) {
            const operator = operators.find(candidate => is(candidate));
            if (operator === undefined) {
                return left;
            }
            expect(operator);
            const right = infix(operator === 'implies' ? level : level + 1, inType);
            left = { kind: 'binary', operator, left, right };
        }
    }

    function operand(inType: boolean): Expression {
        if (accept('!')) {
            return { kind: 'unary', operator: '!', operand: operand(inType) };
        }
        if (accept('-')) {
            return { kind: 'unary', operator: '-', operand: operand(inType) };
        }
        if (is('forall') || is('exists')) {
            return quantified(name() as Quantifier);
        }
        if (accept('if')) {
            const condition = expression();
            expect('then');
            const then = expression();
            expect('else');
            return { kind: 'if', condition, then, otherwise: expression() };
        }
        if (accept('{')) {
            const each = peek().kind === 'name' && is('in', 1) ? attempt(eachElement) : undefined;
            const found: Expression = each ?? { kind: 'set', elements: is('}') ? [] : list(setElement) };
            expect('}');
            return found;
        }
        if (accept('[')) {
            const comprehension = attempt((): Expression => {
                const { binders: bound } = binders();
                expect(':');
                return { kind: 'comprehension', binders: bound, body: expression() };
            });
            const found: Expression = comprehension ?? { kind: 'array', elements: is(']') ? [] : list(expression) };
            expect(']');
            return found;
        }
        return postfix(inType);
    }

    function eachElement(): Expression {
        const bound = binders();
        const [first] = bound.binders;
        const body = accept(':') ? expression() : ({ kind: 'name', name: first!.name, indices: [] } as const);
        return is('}') ? { kind: 'each', ...bound, body } : fail('a brace');
    }

    function postfix(inType = false): Expression {
        let found = primary(inType);
        while (!inType && accept('.')) {
            found = { kind: 'field', record: found, field: name(), indices: elementIndices() };
        }
        return !inType && accept('at') ? { kind: 'standing', reference: found, label: name() } : found;
    }

    function primary(inType: boolean): Expression {
        if (accept('(')) {
            const inner = expression();
            expect(')');
            return inner;
        }
        if (peek().kind === 'integer') {
            return literal(Number(tokens[next++]!.text));
        }
        const found = name();
        if (found === 'true' || found === 'false') {
            return { kind: 'literal', value: found === 'true' };
        }
        if (found === 'none') {
            return { kind: 'literal', value: null };
        }
        if (found === 'any') {
            return { kind: 'any' };
        }
        if (['count', 'sum', 'min', 'max', 'the'].includes(found) && is('(')) {
            const inner = attempt(() => {
                expect('(');
                const quantifier = quantified(found as Quantifier);
                expect(')');
                return quantifier;
            });
            if (inner !== undefined) {
                return inner;
            }
        }
        if (accept('(')) {
            const values = is(')') ? [] : list(expression);
            expect(')');
            return { kind: 'call', name: found, arguments: values, indices: inType ? [] : elementIndices() };
        }
        const indices = inType ? [] : elementIndices();
        return accept('at')
            ? { kind: 'at', process: found, indices, label: name() }
            : { kind: 'name', name: found, indices };
    }

    function setElement(): SetElement {
        const low = expression();
        const high = accept('..') && { high: expression() };
        return { low, ...high, ...(accept(':') && { copies: expression() }) };
    }

    function quantified(quantifier: Quantifier): Expression {
        const bound = binders();
        expect(':');
        return { kind: 'quantifier', quantifier, ...bound, body: expression() };
    }

    /** `x in T, y in U where c`, with several names before one `in`. */
    function binders(): { binders: Binder[]; where?: Expression } {
        const found: Binder[] = [];
        do {
            const names = list(name);
            expect('in');
            const of = bound();
            found.push(...names.map(binder => ({ name: binder, type: of })));
        } while (accept(','));
        const conditions = found.flatMap(({ name: left, type: { kind, ...rest } }): Expression[] =>
            kind === 'members' && 'of' in rest
                ? [{ kind: 'binary', operator: 'in', left: { kind: 'name', name: left, indices: [] }, right: rest.of }]
                : [],
        );
        conditions.push(...(accept('where') ? [expression()] : []));
        const where = conditions.reduceRight<Expression | undefined>(
            (right, left) => (right === undefined ? left : { kind: 'binary', operator: '&&', left, right }),
            undefined,
        );
        return { binders: found, ...(where && { where }) };
    }
}

function literal(value: number): Expression {
    return { kind: 'literal', value };
}

function tokenize(text: string): Token[] {
    const tokens: Token[] = [];
    let line = 0;
    let lineStart = 0;
    let at = 0;
    while (at < text.length) {
        TOKEN.lastIndex = at;
        const match = TOKEN.exec(text);
        if (match === null) {
            throw new SyntaxError(`${line + 1}:${at - lineStart + 1}: unexpected '${text[at]!}'`);
        }
        const [word, blank, integer, name, quoted] = match;
        if (blank === undefined) {
            const kind =
                integer !== undefined
                    ? 'integer'
                    : name !== undefined
                      ? 'name'
                      : quoted !== undefined
                        ? 'string'
                        : 'symbol';
            tokens.push({ kind, text: word, line, character: at - lineStart });
        }
        for (const end = at + word.length; at < end; at++) {
            if (text[at] === '\n') {
                line++;
                lineStart = at + 1;
            }
        }
    }
    tokens.push({ kind: 'end', text: 'end of text', line, character: at - lineStart });
    return tokens;
}

/**
 * The text without what is said of runs, which is about no state: words of fairness, and properties, assumptions, runs
 * that are to exist and what is expected, up to the next declaration at the beginning of a line.
 */
function withoutRuns(tokens: readonly Token[]): Token[] {
    const isWord = (token: Token | undefined, ...words: string[]): boolean =>
        token?.kind === 'name' && words.includes(token.text);
    const isFair = (index: number): boolean =>
        isWord(tokens[index], 'fair') &&
        (isWord(tokens[index + 1], 'process', 'event') ||
            (tokens[index + 1]?.kind === 'name' && tokens[index + 2]?.text === ':'));
    let isLeftOut = false;
    return tokens.filter((token, index) => {
        if (token.character === 0 || token.kind === 'end') {
            // What is left out may end with a bracket of its own at the beginning of a line.
            isLeftOut = isWord(token, 'property', 'assume', 'run', 'expect') || (isLeftOut && token.kind === 'symbol');
        }
        return !isLeftOut && !isFair(index) && !(isWord(token, 'strong') && isFair(index + 1));
    });
}
