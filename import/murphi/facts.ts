/** What the names of a model stand for, and the types of its expressions, with the numbers that these can have. */
import { AstUtils, type AstNode } from 'langium';
import { invariant } from '../../engine/common/assert.js';
import type { Problem } from '../../engine/common/problem.js';
import type * as Murphi from './generated/ast.js';
import { arithmetic, hull, interval, type Interval } from './intervals.js';
import { partsOf } from './parts.js';
import type { MurphiCode, SourceText } from './source-text.js';
import type { BagType, NumberType, RecordType, Routine, Symbol, Type, Variable } from './symbols.js';

/** A place, or a value with a name. */
export type Designator = Murphi.Name | Murphi.Member | Murphi.Element;

/** What runs through the values in a multiset. */
export type Choice = Murphi.ChooseRule | Murphi.MultisetCount | Murphi.MultisetRemoveMatching;

const BOOLEAN: Type = { kind: 'boolean', text: 'bool' };
const UNKNOWN: Type = { kind: 'unknown' };

export class Facts {
    readonly problems: Problem[] = [];
    readonly source: SourceText;
    /** Parameters that some call gives the word `undefined`: what is assigned from them may be undefined, too. */
    readonly givenUndefined = new Set<Symbol>();
    private readonly symbols = new Map<AstNode, readonly Symbol[]>();
    private readonly types = new Map<Murphi.Expression, Type>();

    constructor(source: SourceText) {
        this.source = source;
    }

    refuse(node: AstNode, code: MurphiCode, message: string): void {
        this.problems.push(this.source.problemAt(node, code, message));
    }

    /** Something that changes no run and is left out. */
    note(node: AstNode, message: string): void {
        this.problems.push(this.source.problemAt(node, 'murphi/dropped', message, 'information'));
    }

    /** What a part of the text declares, or what a name or a call in it means. */
    link(node: AstNode, ...symbols: readonly Symbol[]): void {
        this.symbols.set(node, symbols);
    }

    symbolsOf(node: AstNode): readonly Symbol[] {
        return this.symbols.get(node) ?? [];
    }

    /** Undefined for a name that nothing declares. */
    symbolOf(node: AstNode): Symbol | undefined {
        return this.symbolsOf(node)[0];
    }

    variablesOf(node: AstNode): readonly Variable[] {
        return this.symbolsOf(node).filter(symbol => symbol.kind === 'variable');
    }

    variableOf(node: Murphi.Quantifier | Choice): Variable {
        const [variable] = this.variablesOf(node);
        invariant(variable !== undefined, 'a quantifier that is carried over has a variable');
        return variable;
    }

    routineOf(node: Murphi.Call | Murphi.ProcedureCall): Routine | undefined {
        const symbol = this.symbolOf(node);
        return symbol?.kind === 'routine' ? symbol : undefined;
    }

    /** The variable or field whose cells a place names; undefined for what is no place. */
    cellOf(place: Murphi.Expression): Variable | undefined {
        switch (place.$type) {
            case 'Name': {
                const symbol = this.symbolOf(place);
                return symbol?.kind === 'alias'
                    ? this.cellOf(symbol.value)
                    : symbol?.kind === 'variable'
                      ? symbol
                      : undefined;
            }
            case 'Element':
                return this.cellOf(this.typeOf(place.array).kind === 'bag' ? place.index : place.array);
            case 'Member':
                return this.cellOf(place.record) && this.fieldOf(place);
            default:
                return undefined;
        }
    }

    fieldOf(place: Murphi.Member): Variable | undefined {
        const record = this.typeOf(place.record);
        return record.kind === 'record' ? fieldOf(record, place.field) : undefined;
    }

    bagOf(node: Murphi.Expression): BagType | undefined {
        const type = this.typeOf(node);
        return type.kind === 'bag' ? type : undefined;
    }

    /** The variable that a place is a part of. */
    rootOf(place: Murphi.Expression): Variable | undefined {
        switch (place.$type) {
            case 'Name': {
                const symbol = this.symbolOf(place);
                return symbol?.kind === 'alias' ? this.rootOf(symbol.value) : this.cellOf(place);
            }
            case 'Element':
                return this.rootOf(place.array);
            case 'Member':
                return this.rootOf(place.record);
            default:
                return undefined;
        }
    }

    /** What the names in a tree stand for. */
    symbolsIn(node: AstNode): readonly Symbol[] {
        return [...partsOf('Name', node), ...partsOf('Call', node)].flatMap(part => this.symbolOf(part) ?? []);
    }

    /** Whether the value is known before the run. */
    isConstant(node: Murphi.Expression): boolean {
        const isKnown = (symbol: Symbol): boolean =>
            symbol.kind === 'alias'
                ? this.isConstant(symbol.value)
                : symbol.kind === 'routine'
                  ? symbol.reads.size === 0 && symbol.writes.size === 0
                  : symbol.kind !== 'variable' && symbol.kind !== 'refused';
        return (
            !AstUtils.streamAst(node).some(({ $type }) => ['Undefined', 'IsUndefined', 'Quantified'].includes($type)) &&
            this.symbolsIn(node).every(isKnown)
        );
    }

    /** Whether a value is assigned as it is, defined or not. */
    isCopied(node: Murphi.Expression): boolean {
        const symbol = this.symbolOf(node);
        return symbol !== undefined && this.givenUndefined.has(symbol);
    }

    numbersOf(node: Murphi.Expression): Interval {
        const type = this.typeOf(node);
        return type.kind === 'number' ? type : interval();
    }

    isNumber(...nodes: readonly Murphi.Expression[]): boolean {
        return nodes.every(node => this.typeOf(node).kind === 'number');
    }

    isCondition(node: Murphi.Expression): boolean {
        return this.typeOf(node).kind === 'boolean';
    }

    /** Whether the right operand is evaluated for one value of the left one only. */
    isLogical(node: Murphi.Binary): boolean {
        const operator = operatorOf(node);
        return ['&&', '||', '->'].includes(operator) || ('&|'.includes(operator) && this.isCondition(node.left));
    }

    typeOf(node: Murphi.Expression): Type {
        const type = this.types.get(node) ?? this.findType(node);
        this.types.set(node, type);
        return type;
    }

    private findType(node: Murphi.Expression): Type {
        switch (node.$type) {
            case 'NumberLiteral':
                return numbers(interval(numberOf(node.value), numberOf(node.value)));
            case 'Undefined':
                return { kind: 'undefined' };
            case 'Name': {
                const symbol = this.symbolOf(node);
                return symbol === undefined || symbol.kind === 'refused' || symbol.kind === 'routine'
                    ? UNKNOWN
                    : symbol.kind === 'alias'
                      ? this.typeOf(symbol.value)
                      : (symbol.type ?? UNKNOWN);
            }
            case 'Member':
                return this.fieldOf(node)?.type ?? UNKNOWN;
            case 'Element': {
                const array = this.typeOf(node.array);
                return array.kind === 'array' || array.kind === 'bag' ? array.element : UNKNOWN;
            }
            case 'Call':
                return this.routineOf(node)?.result ?? UNKNOWN;
            case 'Conditional': {
                const [then, otherwise] = [this.typeOf(node.then), this.typeOf(node.otherwise)];
                return then.kind === 'number' && otherwise.kind === 'number' ? numbers(hull(then, otherwise)) : then;
            }
            case 'Unary': {
                const { low, high } = this.numbersOf(node.operand);
                return node.operator === '!' || node.operator === '¬'
                    ? BOOLEAN
                    : numbers(
                          node.operator === '+'
                              ? interval(low, high)
                              : node.operator === '~'
                                ? interval()
                                : interval(-high, -low),
                      );
            }
            case 'Binary': {
                const operator = operatorOf(node);
                const isBoolean = this.isLogical(node) || ['==', '!=', '<', '<=', '>', '>='].includes(operator);
                return isBoolean
                    ? BOOLEAN
                    : numbers(arithmetic(operator, this.numbersOf(node.left), this.numbersOf(node.right)));
            }
            case 'MultisetCount':
                return numbers(interval(0));
            default:
                return BOOLEAN;
        }
    }
}

/** As in C, a number that begins with `0` is octal. */
function numberOf(text: string): number {
    return Number(/^0\d/.test(text) ? `0o${text}` : text);
}

function numbers({ low, high }: Interval): NumberType {
    return { kind: 'number', low, high, text: `${low} .. ${high}`, bounds: '', isOpen: false };
}

function fieldOf(record: RecordType, name: string): Variable | undefined {
    return record.fields.find(field => field.name === name);
}

/** What a ruleset, an alias or a choice declares for the rules inside. */
export function partsAround(
    rule: Murphi.RuleSet | Murphi.AliasRule | Murphi.ChooseRule,
): readonly (Murphi.Quantifier | Murphi.Alias | Murphi.ChooseRule)[] {
    return rule.$type === 'RuleSet' ? rule.quantifiers : rule.$type === 'AliasRule' ? rule.aliases : [rule];
}

export function isDesignator(expression: AstNode): expression is Designator {
    return expression.$type === 'Name' || expression.$type === 'Member' || expression.$type === 'Element';
}

const SIGNS = {
    '×': '*',
    '÷': '/',
    '∕': '/',
    '−': '-',
    '=': '==',
    '≠': '!=',
    '≤': '<=',
    '≥': '>=',
    '∧': '&&',
    '∨': '||',
    '→': '->',
} as const;

export type Operator = Exclude<Murphi.Binary['operator'], keyof typeof SIGNS>;

/** The operators of the source by one sign for each. */
export function operatorOf({ operator }: Murphi.Binary): Operator {
    return operator in SIGNS ? SIGNS[operator as keyof typeof SIGNS] : (operator as Operator);
}
