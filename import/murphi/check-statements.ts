/** Names and types of statements. */
import type { AstNode } from 'langium';
import { unreachable } from '../../engine/common/assert.js';
import { nameOf, type ExpressionChecker } from './check-expression.js';
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { Scope } from './scope.js';
import { isSimple, type AliasSymbol, type Routine } from './symbols.js';

/** What statements belong to. */
export type Owner = { readonly kind: 'rule' } | { readonly kind: 'routine'; readonly routine: Routine };

export class CheckStatements {
    private readonly facts: Facts;
    private readonly expressions: ExpressionChecker;

    constructor(facts: Facts, expressions: ExpressionChecker) {
        this.facts = facts;
        this.expressions = expressions;
    }

    checkBody(statements: readonly Murphi.Statement[], scope: Scope, owner: Owner): void {
        statements.forEach(statement => this.checkStatement(statement, scope, owner));
    }

    /** The names are known in the result. */
    declareAlias(alias: Murphi.Alias, scope: Scope): Scope {
        const type = this.expressions.check(alias.value, scope);
        const inner = new Scope(scope);
        const symbols = alias.names.map((name): AliasSymbol => ({
            kind: 'alias',
            name,
            node: alias,
            value: alias.value,
            type,
        }));
        this.facts.declareAliases(alias, symbols);
        symbols.forEach(symbol => inner.declare(symbol.name, symbol));
        return inner;
    }

    private checkStatement(statement: Murphi.Statement, scope: Scope, owner: Owner): void {
        const { expressions, facts } = this;
        switch (statement.$type) {
            case 'Assignment':
                this.checkTarget(statement.target, scope);
                expressions.checkValue(statement.value, facts.typeOf(statement.target), scope);
                break;
            case 'Clear':
            case 'Undefine':
                this.checkTarget(statement.target, scope);
                break;
            case 'If':
                for (const { condition, statements } of statement.branches) {
                    expressions.checkCondition(condition, scope);
                    this.checkBody(statements, scope, owner);
                }
                this.checkBody(statement.otherwise, scope, owner);
                break;
            case 'Switch': {
                const type = expressions.check(statement.value, scope);
                if (!isSimple(type) && type.kind !== 'refused') {
                    facts.refuse(statement.value, 'murphi/type', `this is ${nameOf(type)}, not a single value`);
                }
                for (const { values, statements } of statement.cases) {
                    values.forEach(value => expressions.checkValue(value, type, scope));
                    this.checkBody(statements, scope, owner);
                }
                this.checkBody(statement.otherwise, scope, owner);
                break;
            }
            case 'For':
                this.checkBody(statement.statements, expressions.declareQuantifier(statement.quantifier, scope), owner);
                break;
            case 'While':
                expressions.checkCondition(statement.condition, scope);
                this.checkBody(statement.statements, scope, owner);
                break;
            case 'AliasStatement': {
                const inner = statement.aliases.reduce((known, alias) => this.declareAlias(alias, known), scope);
                this.checkBody(statement.statements, inner, owner);
                break;
            }
            case 'ProcedureCall':
                expressions.checkCall(statement, scope);
                break;
            case 'ErrorStatement':
                break;
            case 'Put':
                if (statement.value !== undefined) {
                    expressions.check(statement.value, scope);
                }
                break;
            case 'Assertion':
                expressions.checkCondition(statement.condition, scope);
                if (statement.kind !== 'assert') {
                    this.refuse(statement, `\`${statement.kind}\` in a rule is not carried over`);
                }
                break;
            case 'Return':
                this.checkReturn(statement, scope, owner);
                break;
            case 'MultisetAdd':
            case 'MultisetRemove':
            case 'MultisetRemoveMatching':
                this.refuse(statement, 'multisets are not carried over');
                break;
            default:
                unreachable(statement);
        }
    }

    private checkTarget(target: Murphi.Expression, scope: Scope): void {
        this.expressions.check(target, scope);
        this.expressions.checkWritable(target);
    }

    private checkReturn(statement: Murphi.Return, scope: Scope, owner: Owner): void {
        const result = owner.kind === 'routine' ? owner.routine.result : undefined;
        if (statement.value === undefined) {
            if (result !== undefined) {
                this.facts.refuse(statement, 'murphi/type', 'a function returns a value');
            }
        } else if (result === undefined) {
            this.expressions.check(statement.value, scope);
            this.facts.refuse(statement, 'murphi/type', 'only a function returns a value');
        } else {
            this.expressions.checkValue(statement.value, result, scope);
        }
    }

    private refuse(node: AstNode, message: string): void {
        this.facts.refuse(node, 'murphi/not-carried-over', message);
    }
}
