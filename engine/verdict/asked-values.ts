/** Questions to the states of a run: values of expressions, as the text of a model would write them. */
import { describeFault } from '../describe/words.js';
import type { Standing } from '../explore/instance-names.js';
import { standingIn } from '../explore/possible-steps.js';
import type { TraceValue } from '../explore/verdict.js';
import { codeOfValue, formatValue, type Value } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { writeValue } from '../model/value-format.js';
import { AbsentRead, Compiler, Fault } from '../sequential/expression/evaluate.js';
import { linearize } from '../sequential/linearize.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { withRoomFor } from './enough-slots.js';

type Values = Readonly<Record<string, TraceValue>>;

/**
 * For each state, by the values that a trace shows, what the model asks of it (`Model.asked`). Undefined for a state that is
 * none of the model, and for all if the model has errors.
 */
export function askedAlong(model: Model, states: readonly Values[]): readonly (readonly string[] | undefined)[] {
    const { sequential } = linearize(model);
    if (sequential === undefined) {
        return states.map(() => undefined);
    }
    // Room for whoever is named in some state is room in each, but for what only a longer look at one state tells.
    const shared = withRoomFor(model, sequential, Object.assign({}, ...states) as Values);
    const answers = askingIn(shared);
    return states.map(values => {
        const standing = standingIn(shared, values);
        if (standing !== undefined) {
            return answers(standing);
        }
        const roomy = withRoomFor(model, sequential, values);
        const alone = standingIn(roomy, values);
        return alone && askingIn(roomy)(alone);
    });
}

/** A local is not kept where nothing reads it before it is set again. */
const NO_VALUE_HERE = 'no value here';

/** Of a state one for each value that is asked for; a fault is told as its sentence. */
function askingIn({ cells, asked = [] }: SequentialModel): (standing: Standing) => readonly string[] {
    const compiler = new Compiler(cells);
    return ({ state, names }) =>
        asked.map(({ format, scalars }) => {
            // Only the parts that a value has are computed: others have none.
            const valueAt = (place: number): Value => compiler.expression(scalars[place].expression)(state.slice());
            try {
                const text = writeValue(
                    format,
                    place => formatValue(scalars[place].domain, valueAt(place)),
                    place => codeOfValue(scalars[place].domain, valueAt(place)),
                );
                return names?.inValue(text) ?? text;
            } catch (error) {
                if (error instanceof AbsentRead) {
                    return NO_VALUE_HERE;
                }
                if (error instanceof Fault) {
                    return `fault: ${describeFault(error.kind)}`;
                }
                throw error;
            }
        });
}
