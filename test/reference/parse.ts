/**
 * Reads the language core by recursive descent, one function for each rule of the grammar. It accepts right texts and
 * throws a SyntaxError on others; messages for people are the product's work. A step remembers where it begins.
 */
import type {
    BinaryOperator,
    Binder,
    Control,
    Declaration,
    Expression,
    Model,
    Quantifier,
    Statement,
    Step,
    Type,
    Variable,
} from './syntax.js';

interface Token {
    readonly kind: 'integer' | 'name' | 'symbol' | 'end';
    readonly text: string;
    readonly line: number;
    readonly character: number;
}

const TOKEN =
    /(\s+|\/\/[^\n]*|\/\*[^]*?\*\/)|(\d+)|([A-Za-z_]\w*)|(\.\.|:=|&&|\|\||==|!=|<=|>=|[-+*<>=!?:;,.(){}[\]])/y;

/** Binds tighter further down; all associate to the left except `implies`. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
    ['implies'],
    ['||'],
    ['&&'],
    ['==', '!=', '<', '<=', '>', '>='],
    ['+', '-'],
    ['*', 'div', 'mod'],
];
const SUM_LEVEL = 4;

/** The model that `text` describes. Throws a SyntaxError where it does not follow the grammar. */
export function parseModel(text: string): Model {
    const tokens = tokenize(text);
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
    function list<T>(read: () => T): T[] {
        const items = [read()];
        while (accept(',')) {
            items.push(read());
        }
        return items;
    }

    expect('model');
    const model: Model = { name: name(), declarations: declarations() };
    return model;

    function declarations(): Declaration[] {
        const found: Declaration[] = [];
        while (peek().kind !== 'end') {
            found.push(declaration());
        }
        return found;
    }

    function declaration(): Declaration {
        if (accept('param')) {
            const declared = name();
            expect(':');
            const type = element();
            expect('=');
            return { kind: 'param', name: declared, type, value: expression() };
        }
        if (accept('const')) {
            return constant();
        }
        if (accept('type')) {
            const declared = name();
            expect('=');
            return { kind: 'type', name: declared, type: element() };
        }
        if (accept('enum')) {
            const declared = name();
            expect('=');
            expect('{');
            const values = list(name);
            expect('}');
            return { kind: 'enum', name: declared, values };
        }
        if (accept('var')) {
            return { kind: 'var', variable: variable() };
        }
        if (accept('event')) {
            return { kind: 'event', name: name(), arguments: indexTypes() };
        }
        if (accept('invariant')) {
            const declared = name();
            expect('=');
            return { kind: 'invariant', name: declared, expression: expression() };
        }
        if (accept('allow')) {
            expect('deadlock');
            return { kind: 'allow deadlock' };
        }
        expect('process');
        const declared = name();
        let indices: Binder[] = [];
        let where: Expression | undefined;
        if (accept('[')) {
            indices = list(() => {
                const index = name();
                expect(':');
                return { name: index, type: element() };
            });
            where = accept('where') ? expression() : undefined;
            expect(']');
        }
        return { kind: 'process', name: declared, indices, ...(where && { where }), body: block() };
    }

    function constant(): { kind: 'const'; name: string; value: Expression } {
        const declared = name();
        if (accept(':')) {
            element();
        }
        expect('=');
        return { kind: 'const', name: declared, value: expression() };
    }

    /** After `var`. */
    function variable(): Variable {
        const declared = name();
        expect(':');
        const type = element();
        const indices = indexTypes();
        if (!accept('=')) {
            return { name: declared, type, indices, initial: { kind: 'default' } };
        }
        if (accept('any')) {
            return { name: declared, type, indices, initial: { kind: 'any' } };
        }
        return { name: declared, type, indices, initial: { kind: 'value', value: expression() } };
    }

    function element(): Type {
        let type: Type;
        if (accept('bool')) {
            type = { kind: 'bool' };
        } else {
            const low = bound();
            if (accept('..')) {
                type = { kind: 'range', low, high: bound() };
            } else if (low.kind === 'name') {
                type = { kind: 'named', name: low.name };
            } else {
                return fail('a type');
            }
        }
        return accept('?') ? { kind: 'optional', base: type } : type;
    }

    /** `T[I][J]` is `T[I, J]`, and `T[3]` is `T[0 .. 2]`. */
    function indexTypes(): Type[] {
        const found: Type[] = [];
        while (accept('[')) {
            found.push(
                ...list((): Type => {
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
        if (peek().kind === 'name' && is(':', 1)) {
            const label = name();
            expect(':');
            return { kind: 'labeled', label, control: item() };
        }
        if (accept('loop')) {
            return { kind: 'loop', body: block() };
        }
        if (accept('while')) {
            return { kind: 'while', condition: expression(), body: block() };
        }
        if (accept('if')) {
            return conditional();
        }
        if (accept('choose')) {
            const alternatives = [block()];
            while (accept('or')) {
                alternatives.push(block());
            }
            return { kind: 'choose', alternatives };
        }
        if (accept('break')) {
            return { kind: 'break' };
        }
        if (accept('var')) {
            return { kind: 'declare', variable: variable() };
        }
        if (accept('const')) {
            return constant();
        }
        return step();
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
        let event: Step['event'];
        let statements: Statement[] = [];
        if (accept('skip')) {
            statements = is('{') ? body() : [];
        } else if (is('assert')) {
            statements = [simple()];
        } else if (is('{')) {
            statements = body();
        } else if (peek().kind === 'name' && !(guard !== undefined && startsItem())) {
            const place = { name: name(), indices: elementIndices() };
            if (accept(':=')) {
                statements = [{ kind: 'assign', ...place, value: expression() }];
            } else {
                event = { name: place.name, arguments: place.indices };
                statements = is('{') ? body() : [];
            }
        } else if (guard === undefined) {
            fail('a step');
        }
        return { kind: 'step', ...(guard && { guard }), ...(event && { event }), body: statements, position };
    }

    /** After a guard, a word that cannot name an event. Guards alone end with `;`, so this only guards against slips. */
    function startsItem(): boolean {
        return ['loop', 'while', 'if', 'choose', 'break', 'var', 'const'].includes(peek().text);
    }

    function body(): Statement[] {
        const statements: Statement[] = [];
        expect('{');
        while (!accept('}')) {
            statements.push(simple());
            accept(';');
        }
        return statements;
    }

    function simple(): Statement {
        if (accept('skip')) {
            return { kind: 'skip' };
        }
        if (accept('assert')) {
            return { kind: 'assert', condition: expression() };
        }
        if (accept('if')) {
            const condition = expression();
            const then = body();
            const otherwise = !accept('else') ? [] : is('if') ? [simple()] : body();
            return { kind: 'if', condition, then, otherwise };
        }
        const place = { name: name(), indices: elementIndices() };
        expect(':=');
        return { kind: 'assign', ...place, value: expression() };
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

    function bound(): Expression {
        return infix(SUM_LEVEL, true);
    }

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
        if ((found === 'count' || found === 'sum') && accept('(')) {
            const inner = quantified(found);
            expect(')');
            return inner;
        }
        const indices = inType ? [] : elementIndices();
        return accept('at')
            ? { kind: 'at', process: found, indices, label: name() }
            : { kind: 'name', name: found, indices };
    }

    /** After the quantifier: `x in T, y in U where c: body`, with several names before one `in`. */
    function quantified(quantifier: Quantifier): Expression {
        const binders: Binder[] = [];
        do {
            const names = list(name);
            expect('in');
            const type = element();
            binders.push(...names.map(binder => ({ name: binder, type })));
        } while (accept(','));
        const where = accept('where') ? expression() : undefined;
        expect(':');
        return { kind: 'quantifier', quantifier, binders, ...(where && { where }), body: expression() };
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
        const [word, blank, integer, name] = match;
        if (blank === undefined) {
            const kind = integer !== undefined ? 'integer' : name !== undefined ? 'name' : 'symbol';
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
