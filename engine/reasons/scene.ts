/** The state that a reason speaks of: values, places and quotes as a reader knows them. */
import type { TextOfRange } from '../common/source-text.js';
import { NO_VALUE, valueOfCode } from '../model/domain.js';
import { Compiler, outcomeOf } from '../sequential/expression/evaluate.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { formatParts } from '../sequential/split-values.js';
import { domainOf, phrase, phraseValue } from './phrase.js';

/** A state of a model, and how to evaluate and quote in it. */
export class Scene {
    readonly model: SequentialModel;
    readonly state: Readonly<Int32Array>;
    readonly textOf: TextOfRange;
    readonly compiler: Compiler;

    constructor(
        model: SequentialModel,
        state: Readonly<Int32Array>,
        textOf: TextOfRange,
        compiler = new Compiler(model.cells),
    ) {
        this.model = model;
        this.state = state;
        this.textOf = textOf;
        this.compiler = compiler;
    }

    /** The same model in a copy of the state, which may be changed. */
    copy(): Scene {
        return new Scene(this.model, Int32Array.from(this.state), this.textOf, this.compiler);
    }

    /** The value of an expression; undefined if it is a fault. */
    valueOf(expression: SequentialExpression): number | undefined {
        const outcome = outcomeOf(this.compiler.expression(expression), this.state);
        return typeof outcome === 'number' ? outcome : undefined;
    }

    /** The index of the location of an instance. */
    locationOf(instance: number): number {
        const { counter } = this.model.instances[instance];
        return counter < 0 ? 0 : this.state[counter];
    }

    /** `x[1] + 1`, as specialized if that is short; a count, a sum and what is long as the text has it. */
    quote(expression: SequentialExpression): string {
        const own = phrase(expression, this.model);
        const isTable = expression.kind === 'select' && expression.options.every(({ kind }) => kind === 'constant');
        const isWritten = isTable || ['count', 'sum', 'fault'].includes(expression.kind);
        if (own.length <= LONGEST_QUOTED && !isWritten) {
            return `\`${own}\``;
        }
        const text = 'range' in expression ? this.textOf(expression.range)?.replace(/\s+/g, ' ').trim() : undefined;
        const quoted = text === undefined || text === '' || text.includes('`') ? own : text;
        return `\`${quoted.length <= 2 * LONGEST_QUOTED ? quoted : `${quoted.slice(0, 2 * LONGEST_QUOTED)} …`}\``;
    }

    /** `` `x[1]` = 3 `` */
    valued(expression: SequentialExpression): string {
        return `${this.quote(expression)} = ${this.valueText(expression)}`;
    }

    valueText(expression: SequentialExpression): string {
        const value = this.valueOf(expression);
        const format = expression.kind === 'cell' ? this.model.cells[expression.cell].format : undefined;
        if (format?.kind === 'cases' && value !== undefined) {
            return formatParts(format, this.model.cells, this.state);
        }
        return value === undefined ? 'a fault' : phraseValue(value, domainOf(expression, this.model));
    }

    /** `` `x[1]` is 3 ``, `` `P[1]` is at `leave` `` */
    cellText(cell: number): string {
        const { name, domain, kind, instance, format } = this.model.cells[cell];
        const code = this.state[cell];
        if (code === NO_VALUE) {
            return `\`${name}\` has no value`;
        }
        const value =
            format?.kind !== 'cases'
                ? phraseValue(valueOfCode(domain, code), domain)
                : formatParts(format, this.model.cells, this.state);
        return kind === 'counter' ? this.locationText(instance) : `\`${name}\` is ${value}`;
    }

    /** `` `P[1]` is at `leave` `` */
    locationText(instance: number): string {
        return `\`${this.model.instances[instance].name}\` is ${this.placeText(instance)}`;
    }

    /** `` at `leave` ``, `in line 12` if no label tells. */
    placeText(instance: number): string {
        const { name } = this.model.instances[instance].locations[this.locationOf(instance)];
        return name.startsWith('line ') ? `in ${name}` : `at \`${name}\``;
    }
}

const LONGEST_QUOTED = 60;
