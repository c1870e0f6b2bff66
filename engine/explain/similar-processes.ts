/** Processes written alike under different names: the same control and statements over nearly the same expressions. */
import type { Expression } from '../model/expression.js';
import { mapCommunication, mapParts, mapStatements, type Mapping } from '../model/map-expression.js';
import type { Control, Model, Process } from '../model/model.js';
import { identityOf } from '../symmetry/declared-action.js';

/** Processes with fewer parts are alike by chance. */
const FEWEST_PARTS = 8;
/** The share of their parts that similar processes have in common. */
const LEAST_IN_COMMON = 0.85;

/** The groups of two or more similar processes, as indices into `Model.processes`. */
export function similarProcesses(model: Model): number[][] {
    const groups: { readonly skeleton: string; readonly parts: readonly string[]; readonly members: number[] }[] = [];
    model.processes.forEach((process, index) => {
        const skeleton = skeletonOf(process);
        const parts = partsOf(process, model);
        const group = groups.find(
            known => known.skeleton === skeleton && inCommon(known.parts, parts) >= LEAST_IN_COMMON,
        );
        if (group === undefined) {
            groups.push({ skeleton, parts, members: [index] });
        } else {
            group.members.push(index);
        }
    });
    return groups.flatMap(({ members, parts }) =>
        members.length > 1 && parts.length >= FEWEST_PARTS ? [members] : [],
    );
}

/** The keys that connect controls and statements; a skeleton has no others. */
const CONNECTING: ReadonlySet<string> = new Set(['', 'kind', 'body', 'then', 'otherwise', 'alternatives', 'control']);

/** The types of indices and locals, and the control and statements without their expressions and labels. */
function skeletonOf({ indices, locals, body }: Process): string {
    const types = [indices.map(({ domain }) => identityOf(domain)), locals.map(({ element }) => identityOf(element))];
    const control = JSON.stringify(body, (key, value: Control) =>
        CONNECTING.has(key) || /^\d+$/.test(key) ? unlabeled(value) : undefined,
    );
    return JSON.stringify([types, control]);
}

function unlabeled(control: Control): Control {
    return control.kind === 'labeled' ? unlabeled(control.control) : control;
}

/** The kinds of controls and statements and the operators of a process, without names and numbers. */
function partsOf(process: Process, model: Model): string[] {
    const parts: string[] = [];
    const mapping: Mapping = {
        model,
        process,
        part: part => {
            parts.push(formOf(part));
            return mapParts(part, mapping);
        },
    };
    const visit = (control: Control): void => {
        parts.push(control.kind);
        if ('condition' in control) {
            mapping.part(control.condition, {});
        }
        switch (control.kind) {
            case 'step':
                if (control.guard !== undefined) {
                    mapping.part(control.guard, {});
                }
                if (control.communication !== undefined) {
                    parts.push(control.communication.kind);
                    mapCommunication(control.communication, mapping);
                }
                parts.push(...control.body.map(({ kind }) => kind));
                mapStatements(control.body, mapping);
                return;
            case 'if':
                [...control.then, ...control.otherwise].forEach(visit);
                return;
            case 'while':
            case 'loop':
            case 'for':
                control.body.forEach(visit);
                return;
            case 'choose':
                control.alternatives.flat().forEach(visit);
                return;
            case 'labeled':
                visit(control.control);
                return;
            default:
        }
    };
    process.body.forEach(visit);
    return parts;
}

function formOf(expression: Expression): string {
    switch (expression.kind) {
        case 'unary':
        case 'binary':
            return expression.operator;
        case 'quantifier':
            return expression.quantifier;
        default:
            return expression.kind;
    }
}

/** Twice the number of parts that both have, divided by the number of parts of both. */
function inCommon(first: readonly string[], second: readonly string[]): number {
    const counts = new Map<string, number>();
    first.forEach(part => counts.set(part, (counts.get(part) ?? 0) + 1));
    let common = 0;
    for (const part of second) {
        const left = counts.get(part) ?? 0;
        if (left > 0) {
            common++;
            counts.set(part, left - 1);
        }
    }
    return (2 * common) / (first.length + second.length);
}
