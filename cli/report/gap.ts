/**
 * The symmetry group for GAP: `Read("model.g");` defines `G`, a permutation group on the numbered literals `variable =
 * value` of the model. GAP counts points from 1, and permutations act from the right. [GAP]
 */
import { cyclesOfSparse, type SparsePermutation } from '../../engine/group/sparse-permutation.js';

export interface GapOptions {
    /** The model and its parameters, in words; control characters are left out. */
    readonly title: string;
    /** The name of each literal, by its point. */
    readonly literals: readonly string[];
    readonly generators: readonly SparsePermutation[];
    readonly order: bigint;
    /** False when a budget ended the search: the group is then a subgroup of the model's. */
    readonly complete: boolean;
}

const LONGEST_LINE = 100;

export function toGap(options: GapOptions): string {
    const { title, literals, generators, order, complete } = options;
    const width = String(literals.length).length;
    const names = literals.map((name, point) => `#   ${String(point + 1).padStart(width)}  ${toComment(name)}\n`);
    const permutations = generators.map(toCycles).join(',\n');
    return (
        `# ${toComment(title)}\n` +
        `# ${complete ? 'Its' : 'A subgroup of its'} symmetry group has order ${order} and acts on the literals\n` +
        names.join('') +
        `G := Group([\n${permutations}${permutations === '' ? '' : '\n'}], ());\n`
    );
}

/** Disjoint cycles on points counted from 1, each beginning with its least point; broken into lines between cycles. */
function toCycles(permutation: SparsePermutation): string {
    const lines: string[] = [];
    let line = '   ';
    for (const cycle of cyclesOfSparse(permutation)) {
        const text = `(${cycle.map(point => point + 1).join(',')})`;
        if (line.length + text.length > LONGEST_LINE && line.trim() !== '') {
            lines.push(line);
            line = '   ';
        }
        line += line.trim() === '' ? ` ${text}` : text;
    }
    lines.push(line);
    return lines.join('\n');
}

/** A comment in GAP is one line. */
function toComment(text: string): string {
    // oxlint-disable-next-line no-control-regex
    return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
}
