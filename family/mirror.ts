/**
 * Whether a text is its own mirror image for one ring: with all steps around it in the other direction, and up to the
 * order of the operands of `&&` and `||` and of the alternatives of `choose`, it is the same text.
 *
 * Only then are reflections symmetries, besides rotations. A distance `(x - y) mod N` has a direction, so that it refuses.
 */
import type { Node } from '../language/tree/node.js';
import { remembered } from '../engine/common/list-map.js';
import { nodesOf } from '../language/tree/descendants.js';
import * as ast from '../language/generated/nodes.js';
import type { ConstantBounds } from './constant-bounds.js';
import { NO_FAULT, type FaultAnalysis } from './faults.js';
import { combination, constantOf, formatPolynomial, type Polynomial } from '../language/typing/polynomial.js';
import type { RingUse } from './facts.js';

export class Mirror {
    readonly #declarations: readonly ast.Declaration[];
    readonly #bounds: ConstantBounds;
    readonly #faults: FaultAnalysis;
    readonly #numbers = new Map<Node, number>();
    /** Labels that `at`, `takes` or fairness speak of. */
    #usedLabels: ReadonlySet<Node> | undefined;

    /** `declarations` are those that the sorts are about. */
    constructor(declarations: readonly ast.Declaration[], bounds: ConstantBounds, faults: FaultAnalysis) {
        this.#declarations = declarations;
        this.#bounds = bounds;
        this.#faults = faults;
    }

    /** Whether the text stays the same if these steps around one ring are mirrored. */
    isMirrored(rings: readonly RingUse[]): boolean {
        const steps = new Map<Node, RingUse & { readonly kind: 'step' }>();
        for (const ring of rings) {
            if (ring.kind === 'difference') {
                return false;
            }
            steps.set(ring.node, ring);
        }
        return this.#declarations.every(
            declaration => this.#print(declaration, steps, false) === this.#print(declaration, steps, true),
        );
    }

    #print(node: Node, steps: ReadonlyMap<Node, RingUse & { readonly kind: 'step' }>, isMirrored: boolean): string {
        const print = (other: Node): string => this.#print(other, steps, isMirrored);
        const step = steps.get(node);
        if (step !== undefined) {
            return `step(${print(this.#operandOf(node as ast.Expression))}, ${shiftOf(step, isMirrored)})`;
        }
        if (ast.isBinaryExpression(node) && (node.operator === '&&' || node.operator === '||')) {
            const operands = operandsOf(node, node.operator);
            const texts = operands.map(print);
            const hasNoFaults = operands.every(operand => this.#faults.of(operand, operand) === NO_FAULT);
            return `(${(hasNoFaults ? texts.sort() : texts).join(` ${node.operator} `)})`;
        }
        if (ast.isChoose(node)) {
            const simple = node.alternatives.filter(alternative => this.#isSimple(alternative));
            const others = node.alternatives.filter(alternative => !simple.includes(alternative));
            return `choose(${[...simple.map(print).sort(), ...others.map(print)].join(' or ')})`;
        }
        if (
            ast.isLabeled(node) &&
            ast.isAlternative(node.$container.$container) &&
            this.#isSimple(node.$container.$container)
        ) {
            return print(node.item);
        }
        return `${node.$type}(${this.#properties(node, print)})`;
    }

    #properties(node: Node, print: (node: Node) => string): string {
        return Object.entries(node)
            .filter(([name]) => !name.startsWith('$'))
            .map(([name, value]) => `${name}: ${this.#property(value, print)}`)
            .join(', ');
    }

    #property(value: unknown, print: (node: Node) => string): string {
        if (Array.isArray(value)) {
            return `[${value.map(each => this.#property(each, print)).join(', ')}]`;
        }
        if (typeof value !== 'object' || value === null) {
            return String(value);
        }
        if ('$type' in value) {
            return print(value as Node);
        }
        // A reference: what it names, by number.
        const named = (value as { readonly ref?: Node }).ref;
        return named === undefined ? '?' : `#${remembered(this.#numbers, named, () => this.#numbers.size + 1)}`;
    }

    /** The value that a step starts from, without the constants around it. */
    #operandOf(expression: ast.Expression): ast.Expression {
        if (!ast.isBinaryExpression(expression)) {
            return expression;
        }
        const { left, right } = expression;
        return this.#operandOf(this.#bounds.of(left) === undefined ? left : right);
    }

    /**
     * Whether an alternative is one step without a label that the text speaks of: no place of control lies inside, so
     * that an exchange of such alternatives moves none.
     */
    #isSimple({ body }: ast.Alternative): boolean {
        const [item, ...others] = body.items;
        if (ast.isLabeled(item)) {
            const isPlain = !item.isEnd && !item.fair && !item.strong && !this.#isUsed(item);
            return isPlain && ast.isStep(item.item) && others.length === 0;
        }
        return ast.isStep(item) && others.length === 0;
    }

    #isUsed(label: ast.Labeled): boolean {
        this.#usedLabels ??= new Set(
            this.#declarations.flatMap(nodesOf).flatMap((node): Node[] => {
                const used = ast.isReference(node)
                    ? (node.label?.ref ?? node.action?.ref)
                    : ast.isInstanceAt(node)
                      ? node.label.ref
                      : undefined;
                return used === undefined ? [] : [used];
            }),
        );
        // A label may stand in several places: the name counts.
        return [...this.#usedLabels].some(used => ast.isLabeled(used) && used.name === label.name);
    }
}

/** One text for equal steps: shifts that differ by the length of the ring are the same. */
function shiftOf({ shift, modulus }: RingUse & { readonly kind: 'step' }, isMirrored: boolean): string {
    const own: Polynomial | undefined = combination([isMirrored ? -1 : 1, shift]);
    const texts = [-1, 0, 1].flatMap(rounds => {
        const same = own && combination([1, own], [rounds, modulus], [0, constantOf(0)]);
        return same === undefined ? [] : [formatPolynomial(same)];
    });
    return texts.sort((first, second) => first.length - second.length || (first < second ? -1 : 1))[0] ?? '?';
}

function operandsOf(expression: ast.Expression, operator: '&&' | '||'): ast.Expression[] {
    return ast.isBinaryExpression(expression) && expression.operator === operator
        ? [...operandsOf(expression.left, operator), ...operandsOf(expression.right, operator)]
        : [expression];
}
