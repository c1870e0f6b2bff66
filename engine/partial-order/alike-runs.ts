/**
 * Questions about steps and tests that are the same but for their cells have the same answer: all instances of a process
 * ask them once. Alike are parts with the same local forms, that share the same cells, with the same codes.
 */
import { remembered } from '../common/list-map.js';
import { keyOfRange } from '../common/source-range.js';
import { renamed, type CodeRenaming } from '../constraints/code-renaming.js';
import { type LocalForm, Localizer } from '../constraints/local-form.js';
import type { SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import type { CodesOfCell } from './partial-states.js';

type Placed = Pick<LocalForm<unknown>, 'cells' | 'renamings'> & { readonly form: number };

export class AlikeRuns {
    readonly #model: SequentialModel;
    readonly #localizer: Localizer;
    readonly #numbers = new Map<string, number>();
    readonly #summands: Placed[] = [];
    readonly #conditions = new Map<SequentialExpression, Placed>();
    readonly #lists = new WeakMap<readonly number[], number>();

    constructor(model: SequentialModel) {
        this.#model = model;
        this.#localizer = new Localizer(model.cells);
    }

    /**
     * Equal for parts that are alike; undefined in a model in which steps read more than they say: the names that are held, or
     * a constraint. `codesOf` has the codes of a cell where the summands start.
     */
    keyOf(
        summands: readonly number[],
        conditions: readonly SequentialExpression[],
        codesOf: CodesOfCell,
    ): string | undefined {
        const { templates, constraint } = this.#model;
        if (templates !== undefined || constraint !== undefined) {
            return undefined;
        }
        const parts = [
            ...summands.map(summand => this.#placed(summand)),
            ...conditions.map(condition => this.#placedCondition(condition)),
        ];
        const first = new Map<number, CodeRenaming | undefined>();
        let key = '';
        for (const { form, cells, renamings } of parts) {
            key += `${form}:`;
            cells.forEach((cell, local) => {
                const renaming = renamings[local];
                const codes = codesOf(cell);
                if (!first.has(cell)) {
                    first.set(cell, renaming);
                    key += `${this.#nameOf(codes, renaming)},`;
                    return;
                }
                key += `=${[...first.keys()].indexOf(cell)}`;
                const known = first.get(cell);
                if (known !== renaming) {
                    key += codes
                        .map(code => `${named(code, known)}>${named(code, renaming)}`)
                        .sort()
                        .join('.');
                }
                key += ',';
            });
            key += ';';
        }
        return key;
    }

    /** Faults are told apart by their places, so only steps of one place of the text are alike. */
    #placed(summand: number): Placed {
        return (this.#summands[summand] ??= ((): Placed => {
            const { participants } = this.#model.summands[summand];
            const form = this.#localizer.summand(this.#model.summands[summand]);
            const places = participants.map(({ range }) => keyOfRange(range));
            return this.#withNumber(form, `${places.join()} ${form.key}`);
        })());
    }

    #placedCondition(condition: SequentialExpression): Placed {
        return remembered(this.#conditions, condition, () => {
            const form = this.#localizer.condition(condition);
            return this.#withNumber(form, `test ${form.key}`);
        });
    }

    #withNumber({ cells, renamings }: LocalForm<unknown>, text: string): Placed {
        return { form: this.#numberOf(text), cells, renamings };
    }

    /** Of the codes as the form calls them. */
    #nameOf(codes: readonly number[], renaming: CodeRenaming | undefined): number {
        return renaming === undefined
            ? remembered(this.#lists, codes, () => this.#numberOf(codes.join()))
            : this.#numberOf(
                  codes
                      .map(code => renamed(code, renaming))
                      .sort((one, other) => one - other)
                      .join(),
              );
    }

    #numberOf(text: string): number {
        return remembered(this.#numbers, text, () => this.#numbers.size);
    }
}

function named(code: number, renaming: CodeRenaming | undefined): number {
    return renaming === undefined ? code : renamed(code, renaming);
}
