/**
 * Which codes each cell can have at all: a sound fixpoint.
 *
 * Values that never occur make symmetries that mean nothing, so literals that provably cannot occur are left out. It
 * starts with the initial codes; a summand whose tests can hold over the current codes adds the codes of its effects.
 * Tests are narrowed together to a fixpoint, so that no order among them matters and the result is as symmetric as the
 * model. Where an expression reads too much to be evaluated for all assignments, every code of the domain is added.
 */
import { codeOfValue } from '../model/domain.js';
import type { Compiler } from '../sequential/evaluate.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { codesOfDomain, outcomeOf } from './decompose.js';
import type { Domains } from './formula.js';
import { supportOf } from './resolve.js';
import type { Transition } from './transition.js';

/** The most assignments over which an expression is evaluated. */
const ENUMERATION_BUDGET = 4096;

/** For each cell the codes it can have, ascending. */
export function reachableDomains(
    sequential: SequentialModel,
    transitions: readonly Transition[],
    compiler: Compiler,
): Domains {
    const { cells } = sequential;
    const domains: number[][] = cells.map(() => []);
    const state = new Int32Array(cells.length);

    for (const { cell, value } of sequential.initial) {
        if (value.kind === 'none') {
            domains[cell] = [-1];
        } else if (value.kind === 'any') {
            domains[cell] = codesOfDomain(cells[cell].domain, false);
        } else {
            domains[cell] = possibleCodes(value.expression, cell, domains);
        }
    }
    // Summands are looked at again when a cell that they read gets a new code.
    const readers: number[][] = cells.map(() => []);
    transitions.forEach((transition, index) => transition.reads.forEach(cell => readers[cell].push(index)));
    const waiting = new Set(transitions.keys());
    for (const index of waiting) {
        waiting.delete(index);
        for (const cell of fire(transitions[index])) {
            readers[cell].forEach(reader => waiting.add(reader));
        }
    }
    return domains;

    /** Adds what the transition can write; the cells that got a new code. */
    function fire(transition: Transition): number[] {
        const narrowed = narrow(transition);
        if (narrowed === undefined) {
            return [];
        }
        const changed: number[] = [];
        for (const [cell, value] of transition.effects) {
            const codes = value === 'absent' ? [-1] : possibleCodes(value, cell, narrowed);
            const known = new Set(domains[cell]);
            const added = codes.filter(code => !known.has(code));
            if (added.length > 0) {
                domains[cell] = [...domains[cell], ...added].sort((a, b) => a - b);
                changed.push(cell);
            }
        }
        return changed;
    }

    /** The codes of the cells where the tests can hold; undefined where they cannot. */
    function narrow(transition: Transition): Domains | undefined {
        const tests = transition.participants.flatMap(({ path, body }) => [...path, ...body]);
        let current: (readonly number[])[] = domains.slice();
        for (const cell of transition.reads) {
            if (current[cell][0] === -1) {
                current[cell] = current[cell].slice(1);
            }
        }
        for (let changed = true; changed;) {
            changed = false;
            const kept: (Set<number> | undefined)[] = [];
            for (const test of tests) {
                const support = supportOf(test);
                if (assignmentCount(support, current) > ENUMERATION_BUDGET) {
                    continue;
                }
                const supported = support.map(() => new Set<number>());
                const evaluate = compiler.expression(test);
                let holds = false;
                forEachAssignment(support, current, () => {
                    if (outcomeOf(evaluate, state) === 1) {
                        holds = true;
                        support.forEach((cell, position) => supported[position].add(state[cell]));
                    }
                });
                if (!holds) {
                    return undefined;
                }
                support.forEach((cell, position) => {
                    const before = kept[cell];
                    const here = supported[position];
                    kept[cell] = before === undefined ? here : new Set([...before].filter(code => here.has(code)));
                });
            }
            const next = current.map((codes, cell) => {
                const keep = kept[cell];
                return keep === undefined ? codes : codes.filter(code => keep.has(code));
            });
            changed = next.some((codes, cell) => codes.length !== current[cell].length);
            current = next;
            if (transition.reads.some(cell => current[cell].length === 0)) {
                return undefined;
            }
        }
        return current;
    }

    /** The codes in the domain of `cell` that `expression` can have over `current`. */
    function possibleCodes(expression: SequentialExpression, cell: number, current: Domains): number[] {
        const { domain } = cells[cell];
        if (expression.kind === 'constant') {
            const code = codeOfValue(domain, expression.value);
            return code < 0 ? [] : [code];
        }
        const support = supportOf(expression);
        if (assignmentCount(support, current) > ENUMERATION_BUDGET) {
            return codesOfDomain(domain, false);
        }
        const codes = new Set<number>();
        const evaluate = compiler.expression(expression);
        forEachAssignment(support, current, () => {
            const outcome = outcomeOf(evaluate, state);
            const code = typeof outcome === 'string' ? -1 : codeOfValue(domain, outcome);
            if (code >= 0) {
                codes.add(code);
            }
        });
        return [...codes].sort((a, b) => a - b);
    }

    function assignmentCount(support: readonly number[], current: Domains): number {
        let product = 1;
        for (const cell of support) {
            product *= current[cell].length;
            if (product > ENUMERATION_BUDGET) {
                return product;
            }
        }
        return product;
    }

    /** Writes each assignment of the support into `state`. */
    function forEachAssignment(support: readonly number[], current: Domains, visit: () => void): void {
        const assign = (position: number): void => {
            if (position === support.length) {
                visit();
                return;
            }
            const cell = support[position];
            for (const code of current[cell]) {
                state[cell] = code;
                assign(position + 1);
            }
        };
        assign(0);
    }
}
