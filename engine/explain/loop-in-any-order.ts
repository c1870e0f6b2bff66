/**
 * A `for` between steps written as a loop in any order, with an array of the values that are left:
 *
 *     for p in Id { tell: ch[p] ! m }    becomes    var left: bool[Id] = true
 *                                                   while exists p in Id: left[p] {
 *                                                       choose p in Id where left[p] { tell: ch[p] ! m { left[p] := false } } }
 */
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { TextOfRange } from '../common/source-text.js';
import type { EditReport } from '../describe/report.js';
import { BOOLEAN } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import type { Control, Model, Process, Statement, Step, Variable } from '../model/model.js';
import { replaceParts } from '../model/replace-parts.js';
import { isInside, type Repair } from './places.js';
import { positionAfter, rangeBefore } from './text-before.js';

type Loop = Extract<Control, { kind: 'for' }>;

/** Nothing if the loop stands behind a label, where no variable can be declared. */
export function loopInAnyOrder(loop: Loop, model: Model, textOf: TextOfRange): readonly Repair[] {
    const process = model.processes.find(({ range }) => isInside(range, loop.range));
    const text = textOf(loop.range);
    const type = loop.binder.range && textOf(loop.binder.range);
    if (
        process === undefined ||
        text === undefined ||
        type === undefined ||
        rangeBefore(loop.range, /(?<!\?\s*):\s*$/, textOf) !== undefined
    ) {
        return [];
    }
    const name = freshName(process, model, textOf);
    const edits = editsOf(loop, name, text, type, textOf);
    return edits === undefined
        ? []
        : [
              {
                  title: `Go through \`${type}\` in any order`,
                  edits,
                  change: before => withLoopInAnyOrder(before, loop, name),
                  isRolledUp: true,
              },
          ];
}

/** A name that the process does not use. */
function freshName(process: Process, { variables }: Model, textOf: TextOfRange): string {
    const text = textOf(process.range) ?? '';
    const isFree = (name: string): boolean =>
        !new RegExp(`\\b${name}\\b`).test(text) && variables.every(variable => variable.segments[0].text !== name);
    const names = ['left', 'open', ...Array.from({ length: 100 }, (_, index) => `left${index + 2}`)];
    return names.find(isFree) ?? 'left';
}

function editsOf(
    { binder, body, range }: Loop,
    name: string,
    text: string,
    type: string,
    textOf: TextOfRange,
): readonly EditReport[] | undefined {
    const { uri, start, end } = range;
    const brace = binder.range && text.indexOf('{', text.indexOf(type));
    if (brace === undefined || brace < 0) {
        return undefined;
    }
    const head: SourceRange = { uri, start, end: positionAfter(text.slice(0, brace + 1), start) };
    const indentation = rangeBefore(range, /(?<=^|\n)[ \t]*$/, textOf);
    const line = indentation === undefined ? ' ' : `\n${textOf(indentation) ?? ''}`;
    const item = binder.name;
    const done = `${name}[${item}] := false`;
    const marked = markedStep(body);
    const opening =
        `var ${name}: bool[${type}] = true${line}while exists ${item} in ${type}: ${name}[${item}] ` +
        `{ choose ${item} in ${type} where ${name}[${item}] {${marked === undefined ? ` ${done};` : ''}`;
    const insert = (at: SourceRange['end'], newText: string): EditReport => ({
        range: { uri, start: at, end: at },
        newText,
    });
    return [
        { range: head, newText: opening },
        ...(marked === undefined ? [] : [insert(marked.range.end, ` { ${done} }`)]),
        insert(end, ' }'),
    ];
}

/** The only step of the body, if it is a communication without statements, to which the mark can be added. */
function markedStep(body: readonly Control[]): Step | undefined {
    const [only] = body;
    const step = only?.kind === 'labeled' ? only.control : only;
    const isAlone = body.length === 1 && step?.kind === 'step';
    return isAlone && step.communication !== undefined && step.body.length === 0 ? step : undefined;
}

function withLoopInAnyOrder(model: Model, { range }: Loop, name: string): Model | undefined {
    const key = keyOfRange(range);
    const index = model.processes.findIndex(process => isInside(process.range, range));
    const process = model.processes[index];
    const isLoop = (part: Partial<Control>): part is Loop =>
        part.kind === 'for' && part.range !== undefined && keyOfRange(part.range) === key;
    let binder: Loop['binder'] | undefined;
    const left = process.locals.length;
    const body = replaceParts(process.body, part => {
        if (!isLoop(part)) {
            return undefined;
        }
        binder = part.binder;
        return inAnyOrder(part, left);
    });
    if (binder === undefined) {
        return undefined;
    }
    const { domain } = binder;
    const declared = { documentation: '', range, nameRange: range };
    const holds: Expression = { kind: 'constant', value: 1, domain: BOOLEAN, range };
    const locals: Variable[] = [
        {
            ...declared,
            name,
            segments: [{ text: name, indices: 1 }],
            element: BOOLEAN,
            indices: [domain],
            initializer: { kind: 'value', expressions: [holds], range },
        },
        {
            ...declared,
            name: binder.name,
            segments: [{ text: binder.name, indices: 0 }],
            element: domain,
            indices: [],
            initializer: { kind: 'any', range },
        },
    ];
    const changed: Process = { ...process, locals: [...process.locals, ...locals], body };
    return { ...model, processes: model.processes.map((each, position) => (position === index ? changed : each)) };
}

/** `left` is the number of the local for the values that are left; the next one is the value of the round. */
function inAnyOrder({ binder, body, range }: Loop, left: number): Control {
    const value: Expression = { kind: 'read', place: { kind: 'local', local: left + 1, indices: [], range }, range };
    const isLeft = (of: Expression): Expression => ({
        kind: 'read',
        place: { kind: 'local', local: left, indices: [of], range },
        range,
    });
    const isName = (part: Partial<Expression>): boolean => part.kind === 'binder' && part.binder?.id === binder.id;
    const round = replaceParts(body, part => (isName(part) ? value : undefined));
    const no: Expression = { kind: 'constant', value: 0, domain: BOOLEAN, range };
    const done: Statement = {
        kind: 'assign',
        assignments: [{ target: { kind: 'local', local: left, indices: [value], range }, value: no }],
        range,
    };
    const step = markedStep(round);
    const rest: readonly Control[] =
        step === undefined
            ? [{ kind: 'step', body: [done], range }, ...round]
            : replaceParts(round, part => (part === step ? { ...step, body: [done] } : undefined));
    const some: Expression = {
        kind: 'quantifier',
        quantifier: 'exists',
        binders: [binder],
        body: isLeft({ kind: 'binder', binder, range }),
        range,
    };
    const alternative: readonly Control[] = [
        { kind: 'declare', local: left + 1, range },
        { kind: 'assume', condition: isLeft(value), range },
        ...rest,
    ];
    const loop: Control = {
        kind: 'while',
        condition: some,
        body: [{ kind: 'choose', alternatives: [alternative], range }],
        range,
    };
    return { kind: 'choose', alternatives: [[{ kind: 'declare', local: left, range }, loop]], range };
}
