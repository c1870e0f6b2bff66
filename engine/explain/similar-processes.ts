/**
 * Processes that are written alike under different names: the same control and statements in the same order, over
 * expressions of nearly the same form. They look as if they could be exchanged.
 */
import type { Expression } from '../model/expression.js';
import { mapCommunication, mapParts, mapStatements, type Mapping } from '../model/map-expression.js';
import type { Control, Model, Process, Statement } from '../model/model.js';
import { identityOf } from '../symmetry/declared-action.js';

/** Fewer parts than this are alike by chance. */
const FEWEST_PARTS = 8;
/** How much of their parts twins have in common. */
const LEAST_IN_COMMON = 0.85;

/** The groups of two or more processes that are written alike, as indices into `Model.processes`. */
export function twinsOf(model: Model): number[][] {
    const groups: (ProcessForm & { readonly members: number[] })[] = [];
    model.processes.forEach((process, index) => {
        const { skeleton, parts } = formOfProcess(process, model);
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

interface ProcessForm {
    readonly skeleton: string;
    readonly parts: readonly string[];
}

/** This is asked after each edit, and most processes are what they were: what others are is not in the form of one. */
const knownForms = new WeakMap<Process, ProcessForm>();

function formOfProcess(process: Process, model: Model): ProcessForm {
    let form = knownForms.get(process);
    if (form === undefined) {
        form = { skeleton: skeletonOf(process), parts: partsOf(process, model) };
        knownForms.set(process, form);
    }
    return form;
}

/** Indices and locals, control and statements without what they say. */
function skeletonOf({ indices, locals, body }: Process): string {
    const control = (item: Control): string => {
        switch (item.kind) {
            case 'step':
                return `step(${item.body.map(statement).join()})`;
            case 'loop':
            case 'while':
            case 'for':
                return `${item.kind}(${item.body.map(control).join()})`;
            case 'if':
                return `if(${item.then.map(control).join()};${item.otherwise.map(control).join()})`;
            case 'choose':
                return `choose(${item.alternatives.map(alternative => alternative.map(control).join()).join(';')})`;
            case 'labeled':
                return control(item.control);
            case 'assume':
            case 'declare':
            case 'break':
            case 'terminate':
                return item.kind;
        }
    };
    const statement = (item: Statement): string => {
        switch (item.kind) {
            case 'if':
                return `if(${item.then.map(statement).join()};${item.otherwise.map(statement).join()})`;
            case 'while':
            case 'for':
                return `${item.kind}(${item.body.map(statement).join()})`;
            case 'assign':
            case 'declare':
            case 'return':
            case 'assert':
            case 'skip':
                return item.kind;
        }
    };
    const types = indices.map(({ domain }) => identityOf(domain)).join();
    return `${types}|${locals.map(({ element }) => identityOf(element)).join()}|${body.map(control).join()}`;
}

/** What the process is made of, without names and numbers. */
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
            case 'assume':
                mapping.part(control.condition, {});
                return;
            case 'while':
                mapping.part(control.condition, {});
                control.body.forEach(visit);
                return;
            case 'if':
                mapping.part(control.condition, {});
                [...control.then, ...control.otherwise].forEach(visit);
                return;
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

/** Twice the number of parts that both have, of all parts of both. */
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
