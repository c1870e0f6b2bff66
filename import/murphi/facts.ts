/** What checking has found out about the nodes of a model: the symbols of names and the types of expressions. */
import type { AstNode } from 'langium';
import { invariant } from '../../engine/common/assert.js';
import type { Problem } from '../../engine/common/problem.js';
import type {
    Alias,
    Call,
    Element,
    Expression,
    Member,
    Name,
    Parameter,
    ProcedureCall,
    Quantifier,
    VariableDeclaration,
} from './generated/ast.js';
import { interval, type Interval } from './intervals.js';
import { partsOf } from './parts.js';
import type { MurphiCode, SourceText } from './source-text.js';
import {
    REFUSED,
    type AliasSymbol,
    type RecordType,
    type Routine,
    type Symbol,
    type Type,
    type Variable,
} from './symbols.js';

/** A place, or a value with a name. */
export type Designator = Name | Member | Element;

export function isDesignator(expression: Expression): expression is Designator {
    return expression.$type === 'Name' || expression.$type === 'Member' || expression.$type === 'Element';
}

/** The grammar makes designators from the left, so their first parts are typed too narrowly. */
export function arrayOf(element: Element): Designator {
    return element.array;
}

export function recordOf(member: Member): Designator {
    return member.record;
}

type Declaring = VariableDeclaration | Parameter | Quantifier;

export class Facts {
    readonly problems: Problem[] = [];
    readonly source: SourceText;
    private readonly symbols = new Map<Name | Call | ProcedureCall, Symbol>();
    private readonly types = new Map<Expression, Type>();
    private readonly variables = new Map<Declaring, readonly Variable[]>();
    private readonly aliases = new Map<Alias, readonly AliasSymbol[]>();
    private readonly leftOut = new Set<Routine>();

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

    link(node: Name | Call | ProcedureCall, symbol: Symbol): void {
        this.symbols.set(node, symbol);
    }

    /** Undefined for a name that nothing declares. */
    symbolOf(node: Name | Call | ProcedureCall): Symbol | undefined {
        return this.symbols.get(node);
    }

    setType(node: Expression, type: Type): void {
        this.types.set(node, type);
    }

    typeOf(node: Expression): Type {
        return this.types.get(node) ?? REFUSED;
    }

    declare(node: Declaring, variables: readonly Variable[]): void {
        this.variables.set(node, variables);
    }

    variablesOf(node: Declaring): readonly Variable[] {
        return this.variables.get(node) ?? [];
    }

    variableOf(node: Quantifier): Variable {
        const [variable] = this.variablesOf(node);
        invariant(variable !== undefined, 'a quantifier that was checked has a variable');
        return variable;
    }

    declareAliases(node: Alias, symbols: readonly AliasSymbol[]): void {
        this.aliases.set(node, symbols);
    }

    aliasesOf(node: Alias): readonly AliasSymbol[] {
        return this.aliases.get(node) ?? [];
    }

    /** The routine has no text, so calls of it have none. */
    leaveOut(routine: Routine): void {
        this.leftOut.add(routine);
    }

    /** The routine of a call that is written. */
    routineOf(node: Call | ProcedureCall): Routine {
        const routine = this.symbolOf(node);
        invariant(routine?.kind === 'routine', 'a call that was checked is one of a routine');
        if (this.leftOut.has(routine)) {
            this.refuse(node, 'murphi/not-carried-over', `\`${node.name}\` is not carried over`);
        }
        return routine;
    }

    /** The variable or field whose cells a place names; undefined for what is no place. */
    cellOf(place: Expression): Variable | undefined {
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
                return this.cellOf(arrayOf(place));
            case 'Member': {
                const record = this.typeOf(recordOf(place));
                return record.kind === 'record' && this.cellOf(recordOf(place)) !== undefined
                    ? fieldOf(record, place.field)
                    : undefined;
            }
            default:
                return undefined;
        }
    }

    /** The variable that a place is a part of. */
    rootOf(place: Expression): Variable | undefined {
        switch (place.$type) {
            case 'Name': {
                const symbol = this.symbolOf(place);
                return symbol?.kind === 'alias' ? this.rootOf(symbol.value) : this.cellOf(place);
            }
            case 'Element':
                return this.rootOf(arrayOf(place));
            case 'Member':
                return this.rootOf(recordOf(place));
            default:
                return undefined;
        }
    }

    numbersOf(node: Expression): Interval {
        const type = this.typeOf(node);
        return type.kind === 'number' ? type : interval();
    }

    /** What the names in a tree stand for. */
    symbolsIn(node: AstNode): readonly Symbol[] {
        return [...partsOf('Name', node), ...partsOf('Call', node)].flatMap(part => this.symbolOf(part) ?? []);
    }

    /** Whether the value is known before the run. */
    isConstant(node: Expression): boolean {
        const isKnown = (symbol: Symbol): boolean => {
            switch (symbol.kind) {
                case 'variable':
                case 'refused':
                    return false;
                case 'alias':
                    return this.isConstant(symbol.value);
                case 'routine':
                    return symbol.reads.size === 0 && symbol.writes.size === 0;
                default:
                    return true;
            }
        };
        const others = [...partsOf('Undefined', node), ...partsOf('IsUndefined', node), ...partsOf('Quantified', node)];
        return others.length === 0 && this.symbolsIn(node).every(isKnown);
    }
}

export function fieldOf(record: RecordType, name: string): Variable | undefined {
    return record.fields.find(field => field.name === name);
}
